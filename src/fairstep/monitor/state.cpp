#include <fairstep/monitor/state.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <fairstep/core/mention.hpp>
#include <fairstep/core/sha256.hpp>
#include <fairstep/io/files.hpp>
#include <fairstep/io/output_file.hpp>
#include <fairstep/monitor/internal/documents.hpp>

namespace fairstep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kQuestionFile = "monitor.json";
constexpr const char* kCertificateFile = "certificate.json";

std::string file_of_day(std::size_t number) { return fmt::format("{:06}.json", number); }

bool is_day(const std::string& name) {
  return name.size() >= 11 && name.ends_with(".json") &&
         std::all_of(name.begin(), name.end() - 5, [](char c) { return c >= '0' && c <= '9'; });
}

/// Names of files that begin with a digit, and how many there are besides ours.
struct Listing {
  std::set<std::string> days{};
  std::string strange{};
};

Listing list(const fs::path& folder) {
  Listing listing;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (is_day(name))
      listing.days.insert(name);
    else if (name != kQuestionFile && name != kCertificateFile && name != FolderLock::kName && listing.strange.empty())
      listing.strange = name;
  }
  return listing;
}

Error in_file(Error error, const fs::path& file) {
  error.file = file.string();
  return error;
}

/// Logarithms of one machine's library may differ from another's by much less than this.
constexpr double kSameEvidence = 1e-6;

}  // namespace

fs::path certificate_file(const fs::path& folder) { return folder / kCertificateFile; }

Expected<void> check_no_file(const fs::path& folder) {
  std::error_code ignored;
  const fs::file_status status = fs::status(folder, ignored);
  if (!fs::exists(status) || fs::is_directory(status)) return {};
  return fail_in_file(folder, "this is a file, expected the folder of a state",
                      "the state comes first: " + verb("monitor") + " STATE LOG");
}

Expected<FolderLock> open_state(const fs::path& folder) {
  if (auto ok = check_no_file(folder); !ok) return tl::unexpected(ok.error());
  std::error_code error, ignored;
  fs::create_directory(folder, error);
  if (error && !fs::is_directory(folder, ignored)) return fail_in_file(folder, error.message());
  auto lock = FolderLock::take(folder);
  if (!lock) return lock;
  remove_unfinished(folder);
  const Listing listing = list(folder);
  if (!listing.strange.empty() && !MonitorState::exists(folder))
    return fail_in_file(folder, fmt::format("there is {} in it, which belongs to no state", listing.strange),
                        "name a folder that is empty or not there, for a state of its own");
  // One day may be what a first call left that was ended; several are days of a state.
  if (listing.days.size() > 1 && !MonitorState::exists(folder))
    return fail_in_file(folder / kQuestionFile,
                        fmt::format("there is no such file, and there is {}", *listing.days.rbegin()),
                        "name a folder that is empty or not there, for a state of its own");
  return lock;
}

bool MonitorState::exists(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / kQuestionFile, ignored);
}

MonitorState::MonitorState(MonitorQuestion question, std::optional<std::string> certificate,
                           std::optional<Certified> certified, std::vector<Claim> claims)
    : question_(std::move(question)),
      certificate_(std::move(certificate)),
      certified_(std::move(certified)),
      claims_(std::move(claims)),
      ledger_(claims_),
      fingerprint_(sha256(internal::to_text(question_))) {}

Expected<MonitorState> MonitorState::begin(MonitorQuestion question, std::optional<std::string> certificate) {
  std::sort(question.reading.begin(), question.reading.end());
  std::optional<Certified> certified;
  if (certificate) {
    auto read = read_certified(*certificate);
    if (!read) return tl::unexpected(in_file(read.error(), kCertificateFile));
    if (read->counts.names().groups != question.groups || read->counts.horizon() != question.horizon)
      return fail("the groups or steps that are watched are not those of the certificate");
    certified = std::move(*read);
  }
  auto claims = claims_of(question, certified ? &*certified : nullptr);
  if (!claims) return tl::unexpected(claims.error());
  return MonitorState(std::move(question), std::move(certificate), std::move(certified), std::move(*claims));
}

Expected<MonitorState> MonitorState::read(const fs::path& folder) {
  const fs::path file = folder / kQuestionFile;
  const auto text = read_text_file(file);
  if (!text) return tl::unexpected(text.error());
  auto question = internal::question_from(*text);
  if (!question) return tl::unexpected(in_file(question.error(), file));
  std::optional<std::string> certificate;
  if (question->certificate) {
    auto kept = read_text_file(folder / kCertificateFile);
    if (!kept) return tl::unexpected(kept.error());
    if (sha256(*kept) != question->certificate->sha256)
      return fail_in_file(folder / kCertificateFile,
                          "it is not the certificate that is watched: its fingerprint is another");
    certificate = std::move(*kept);
  }
  auto state = begin(std::move(*question), std::move(certificate));
  if (!state)
    return tl::unexpected(in_file(state.error(), state.error().file.empty() ? file : folder / state.error().file));
  const Listing listing = list(folder);
  if (listing.days.empty())
    return fail_in_file(folder / file_of_day(1), "there is no such file: the days of the state are gone");
  for (std::size_t number = 1; number <= listing.days.size(); ++number) {
    const std::string name = file_of_day(number);
    if (!listing.days.contains(name))
      return fail_in_file(folder / name, fmt::format("there is no such file, and there is {}", *listing.days.rbegin()));
    const auto day = read_text_file(folder / name);
    if (!day) return tl::unexpected(day.error());
    if (auto ok = state->take(*day); !ok) return tl::unexpected(in_file(ok.error(), folder / name));
  }
  return state;
}

Expected<void> MonitorState::take(std::string_view text) {
  auto day = internal::day_from(text, question_, claims_, certified());
  if (!day) return tl::unexpected(day.error());
  if (day->number != days_.size() + 1)
    return fail(fmt::format("it is day {}, expected day {}", day->number, days_.size() + 1), "/day");
  if (day->before != fingerprint_)
    return fail("it does not follow the file before: that file's fingerprint is another", "/before");
  // What was recorded stays; what was not, though the days prove it, or was though they do not, was written by no one
  // but a forger. Between the two are the last digits of logarithms.
  const std::vector<std::size_t> refuted = ledger_.play(*day);
  const auto is_recorded = [&](std::size_t claim) {
    return std::find(day->alarms.begin(), day->alarms.end(), claim) != day->alarms.end();
  };
  for (const std::size_t claim : refuted)
    if (!is_recorded(claim) && ledger_.standings()[claim].log_evidence > claims_[claim].alarm_at + kSameEvidence)
      return fail("its decisions refute a claim, and there is no alarm", "/alarms");
  for (const std::size_t claim : day->alarms) {
    if (std::abs(ledger_.standings()[claim].highest - claims_[claim].alarm_at) > kSameEvidence &&
        std::find(refuted.begin(), refuted.end(), claim) == refuted.end())
      return fail("there is an alarm, and its decisions refute nothing", "/alarms");
    ledger_.record(claim, day->number);
  }
  days_.push_back(std::move(*day));
  fingerprint_ = sha256(text);
  return {};
}

Expected<void> MonitorState::add(const fs::path& folder, MonitorDay day) {
  day.number = days_.size() + 1;
  day.before = fingerprint_;
  Ledger after = ledger_;
  day.alarms = after.play(day);
  const std::string text = internal::to_text(day, question_, claims_, certified());
  // Of a new state the question comes last: the state is there once that is.
  const bool is_new = !exists(folder);
  if (is_new && certificate_)
    if (auto ok = write_file(folder / kCertificateFile, *certificate_); !ok) return ok;
  if (auto ok = write_file(folder / file_of_day(day.number), text); !ok) return ok;
  if (is_new)
    if (auto ok = write_file(folder / kQuestionFile, internal::to_text(question_)); !ok) return ok;
  ledger_ = std::move(after);
  days_.push_back(std::move(day));
  fingerprint_ = sha256(text);
  return {};
}

}  // namespace fairstep
