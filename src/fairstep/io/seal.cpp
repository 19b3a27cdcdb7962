#include <fairstep/io/seal.hpp>

#include <cstddef>

#include <fairstep/core/sha256.hpp>

namespace fairstep {
namespace {

constexpr std::string_view kOpening = ",\n  \"sha256\": \"";
constexpr std::string_view kClosing = "\"\n}\n";
constexpr std::size_t kDigits = 64;

}  // namespace

std::string sealed(std::string_view object) {
  std::string text(object.substr(0, object.rfind('}')));
  text.erase(text.find_last_not_of(" \n") + 1);
  const std::string digest = sha256(text);
  return text.append(kOpening).append(digest).append(kClosing);
}

bool has_seal(std::string_view document) {
  return document.size() >= kOpening.size() + kDigits + kClosing.size() && document.ends_with(kClosing) &&
         document.substr(document.size() - kClosing.size() - kDigits - kOpening.size()).starts_with(kOpening);
}

std::string_view seal_of(std::string_view document) {
  return document.substr(document.size() - kClosing.size() - kDigits, kDigits);
}

Expected<void> check_seal(std::string_view document) {
  if (!has_seal(document))
    return fail("there is no fingerprint at its end: the file was changed, or an older version wrote it");
  const std::string_view text = document.substr(0, document.size() - kClosing.size() - kDigits - kOpening.size());
  if (sha256(text) != seal_of(document)) return fail("it is not what was written: its fingerprint is another");
  return {};
}

}  // namespace fairstep
