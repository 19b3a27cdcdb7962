#include <fairstep/check/question.hpp>

#include <algorithm>

#include <fairstep/check/features.hpp>

namespace fairstep::rigorous {
namespace {

/// Counts to the last digit; all other numbers are doubles, however they are written.
enum class Entry { count, number };

void flatten(const Json& value, Entry entry, std::vector<Real>& into) {
  if (value.is_array()) {
    for (const Json& part : value) flatten(part, entry, into);
  } else {
    into.push_back(entry == Entry::count ? value.get<Real>() : Real{value.get<double>()});
  }
}

std::vector<Real> entries(const Json& value, Entry entry) {
  std::vector<Real> all;
  flatten(value, entry, all);
  return all;
}

Question::Lost nothing_lost(const Question& q) {
  Question::Lost lost;
  lost.first.assign(q.groups, 0);
  lost.in_doubt.assign(q.groups, 0);
  lost.cells.assign(q.groups * q.cells, 0);
  lost.transitions.assign(q.groups * q.cells, 0);
  return lost;
}

Question::Lost losses_of(const Question& q, const Json& counts) {
  if (!counts.contains("log") || !counts.at("log").contains("lost")) return nothing_lost(q);
  const Json& record = counts.at("log").at("lost");
  Question::Lost lost;
  lost.first = entries(record.at("first"), Entry::count);
  lost.in_doubt = entries(record.at("first_in_doubt"), Entry::count);
  lost.cells = entries(record.at("cells"), Entry::count);
  lost.transitions = entries(record.at("transitions"), Entry::count);
  std::vector<Real> decisions = entries(record.at("decisions"), Entry::count);
  for (const std::vector<Real>* table : {&lost.first, &lost.in_doubt, &lost.cells, &lost.transitions, &decisions})
    lost.any = lost.any || std::any_of(table->begin(), table->end(), [](Real n) { return n > 0; });
  return lost;
}

void read_counts(Question& q, const Json& counts) {
  q.names = counts.at("groups").get<std::vector<std::string>>();
  if (counts.contains("periods")) {
    q.starts.clear();
    for (const Json& period : counts.at("periods")) q.starts.push_back(period.at("first_step").get<std::size_t>());
  }
  q.first = entries(counts.at("first"), Entry::count);
  q.visits = entries(counts.at("visits"), Entry::count);
  q.transitions = entries(counts.at("transitions"), Entry::count);
  q.reward_sum = entries(counts.at("reward_sum"), Entry::number);
  q.reward_squares = entries(counts.at("reward_squares"), Entry::number);
  q.lost = losses_of(q, counts);
}

/// Counts that are no part have no share: nothing more is computed of these.
Question::Design design_of(const Json& counts) {
  const double share = counts.contains("part") ? counts.at("part").at("share").get<double>() : 0;
  return {entries(counts.at("first"), Entry::count), entries(counts.at("visits"), Entry::count),
          entries(counts.at("transitions"), Entry::count), entries(counts.at("reward_sum"), Entry::number), share};
}

void read_policy(Question& q, const Json& policy) {
  const std::vector<Real> accept = entries(policy.at("accept"), Entry::number);
  while (q.accept.size() < q.groups * q.horizon * q.features)  // once, or once for each group
    q.accept.insert(q.accept.end(), accept.begin(), accept.end());
}

void read_rewards(Question& q, const Documents& documents) {
  const Json& certificate = documents.certificate;
  if (certificate.contains("reward_range")) {
    q.value = Question::Value::counted;
    q.least = certificate.at("reward_range").at(0).get<double>();
    q.greatest = certificate.at("reward_range").at(1).get<double>();
    q.discount = certificate.value("discount", 1.0);
  }
  if (!documents.model) return;
  q.value = Question::Value::known;
  q.reward = entries(documents.model->at("reward"), Entry::number);
  q.share = entries(documents.model->at("share"), Entry::number);
  q.discount = documents.model->value("discount", 1.0);
}

}  // namespace

Real Question::visits_of(std::size_t g, std::size_t cell) const {
  Real all = 0;
  for (std::size_t h = 0; h < horizon; ++h) all += visits[(g * horizon + h) * cells + cell];
  return all;
}

Real Question::visits_at(std::size_t g, std::size_t h) const {
  Real all = 0;
  for (std::size_t cell = 0; cell < cells; ++cell) all += visits[(g * horizon + h) * cells + cell];
  return all;
}

std::size_t Question::row_at(std::size_t t, std::size_t cell) const {
  std::size_t k = 0;
  while (k + 1 < starts.size() && starts[k + 1] <= t) ++k;
  return k * cells + cell;
}

Real Question::people(std::size_t g) const {
  Real all = 0;
  for (std::size_t s = 0; s < states; ++s) all += first[g * states + s];
  return all;
}

Question question_of(const Documents& documents) {
  const Json& certificate = documents.certificate;
  Question q;
  q.groups = documents.sizes.groups;
  q.horizon = documents.sizes.steps;
  q.features = documents.sizes.features;
  q.states = 2 * q.features;
  q.cells = 2 * q.states;
  q.delta = certificate.at("delta").get<double>();
  q.followed = certificate.at("followed").get<bool>();
  q.dp = certificate.at("certified_gap").contains("dp");
  q.eqopt = certificate.at("certified_gap").contains("eqopt");
  q.eqodds = certificate.at("certified_gap").contains("eqodds");
  q.ratios = certificate.contains("certified_ratio");
  q.aggregate = certificate.contains("certified_aggregate_gap");
  read_counts(q, documents.counts);
  if (certificate.contains("reference")) {
    const auto found = std::find(q.names.begin(), q.names.end(), certificate.at("reference").get<std::string>());
    q.reference = static_cast<std::size_t>(found - q.names.begin());  // of no group: refused as unsound
  }
  if (documents.design) q.design = design_of(*documents.design);
  read_policy(q, documents.policy);
  read_rewards(q, documents);
  if (certificate.contains("labels")) {
    q.labels = certificate.contains("refused") ? rule_of(certificate) : LabelRule{};
    q.lost.any = lost_any_feature(documents.counts);
  }
  return q;
}

Question without_losses(Question question) {
  question.lost = nothing_lost(question);
  return question;
}

}  // namespace fairstep::rigorous
