// Mutations that keep JSON to its form, for files that plain bytes hardly ever keep readable: a number becomes another,
// an entry is doubled, dropped or moved elsewhere, two entries change places. Linked into targets whose files are JSON.
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using Json = nlohmann::ordered_json;

void collect(Json& value, std::vector<Json*>& all) {
  all.push_back(&value);
  if (value.is_structured())
    for (Json& entry : value) collect(entry, all);
}

class Mutation {
 public:
  explicit Mutation(unsigned seed) : random_(seed) {}

  void apply(Json& document) {
    std::vector<Json*> all;
    collect(document, all);
    Json& here = *all[below(all.size())];
    switch (below(6)) {
      case 0:
        here = number();
        break;
      case 1:
        here = *all[below(all.size())] == nullptr ? Json() : Json(*all[below(all.size())]);
        break;
      case 2:
        if (here.is_array() && !here.empty()) here.push_back(Json(here[below(here.size())]));
        break;
      case 3:
        if (here.is_structured() && !here.empty())
          here.erase(std::next(here.begin(), static_cast<std::ptrdiff_t>(below(here.size()))));
        break;
      case 4:
        if (here.is_array() && here.size() > 1) std::swap(here[below(here.size())], here[below(here.size())]);
        break;
      default:
        perturb(here);
    }
  }

 private:
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }

  Json number() {
    static const std::vector<Json> kNumbers{0,
                                            1,
                                            -1,
                                            2,
                                            0.5,
                                            1e-300,
                                            1e308,
                                            -0.0,
                                            1e9,
                                            1e-12,
                                            4294967296,
                                            2147483647,
                                            -2147483648,
                                            1.0 - 1e-12,
                                            9007199254740993,
                                            9223372036854775807,
                                            18446744073709551615U};
    return kNumbers[below(kNumbers.size())];
  }

  /// Small changes keep rows near their sum of 1, where the checks are.
  void perturb(Json& value) {
    if (value.is_number_float()) value = value.get<double>() * (1 + 1e-9 * static_cast<double>(below(2001)) - 1e-6);
    if (value.is_number_integer())
      value = static_cast<std::int64_t>(value.get<std::uint64_t>() + below(3) - 1);  // may wrap around
    if (value.is_string()) value = value.get<std::string>() + std::string(below(3), '<');
  }

  std::mt19937 random_;
};

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  // Every fourth time plain bytes, so that what is no JSON is met too.
  Json document = seed % 4 == 0 ? Json(Json::value_t::discarded) : Json::parse(data, data + size, nullptr, false);
  if (document.is_discarded()) return LLVMFuzzerMutate(data, size, max_size);
  Mutation mutation(seed);
  for (unsigned i = 0; i <= seed / 4 % 3; ++i) mutation.apply(document);
  const std::string text = document.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::copy(text.begin(), text.end(), data);
  return text.size();
}
