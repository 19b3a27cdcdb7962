// What travels arrives, and what is cut off is not taken for whole.
#include <fairstep/ingest/internal/wire.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace fairstep::internal {
namespace {

struct Parcel {
  std::int64_t number = 0;
  bool flag = false;
  std::string text{};
  std::vector<double> reals{};
  std::vector<std::string> texts{};
  std::array<std::int32_t, 2> pair{};
  std::map<std::int32_t, std::vector<std::int64_t>> table{};

  template <class Wire>
  void travel(Wire& wire) {
    wire(number, flag, text, reals, texts, pair, table);
  }
  friend bool operator==(const Parcel&, const Parcel&) = default;
};

TEST(Wire, BringsEverythingAndSeesWhatIsMissing) {
  Parcel sent{-5, true, "some text", {0.5, -1e300}, {"", "b"}, {7, 8}, {{-1, {1, 2}}, {3, {}}}};
  WireWriter writer;
  writer(sent);
  const std::string bytes = std::move(writer).bytes();
  const auto arrives = [](const std::string& received, Parcel& parcel) {
    WireReader reader(received);
    reader(parcel);
    return reader.complete();
  };
  Parcel arrived;
  EXPECT_TRUE(arrives(bytes, arrived));
  EXPECT_EQ(arrived, sent);
  for (std::size_t end = 0; end < bytes.size(); ++end) {
    Parcel part;
    EXPECT_FALSE(arrives(bytes.substr(0, end), part)) << end;
  }
  EXPECT_FALSE(arrives(bytes + "x", arrived));
}

// A length that says more than there is must not be believed: the memory would not do.
TEST(Wire, DoesNotBelieveALengthBeyondTheBytes) {
  std::uint64_t huge = std::uint64_t{1} << 60U;
  WireWriter writer;
  writer(huge);
  const std::string bytes = std::move(writer).bytes();
  std::vector<double> values;
  WireReader reader(bytes);
  reader(values);
  EXPECT_TRUE(values.empty());
  EXPECT_TRUE(reader.failed());
}

}  // namespace
}  // namespace fairstep::internal
