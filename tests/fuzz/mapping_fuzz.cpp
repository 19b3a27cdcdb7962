// How a log is to be read, as the command line says it: a line for each option, --map, --bins, --window, --delimiter,
// --recode, --wide, --missing, names.
#include <string>
#include <vector>

#include "fuzz.hpp"
#include "options/log_options.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fairstep;
  cli::LogOptions options;
  const std::string text(fuzz::text_of(data, size));
  std::size_t begin = 0;
  for (int line = 0; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string words = text.substr(begin, end - begin);
    begin = end + 1;
    switch (line % 11) {
      case 0:
        options.bins.push_back(words);
        break;
      case 1:
        options.window = words;
        break;
      case 2:
        options.delimiter = words;
        break;
      case 3:
        options.censored = named<Censoring>(words);
        break;
      case 4:
        options.groups.push_back(words);
        break;
      case 5:
        options.features.push_back(words);
        break;
      case 6:
        options.recode.push_back(words);
        break;
      case 7:
        options.wide.push_back(words);
        break;
      case 8:
        options.missing = words;
        break;
      default:
        options.map.push_back(words);
    }
  }
  const auto understood = options.count_options();
  if (!understood) return 0;
  for (std::size_t i = 1; i < understood->bins.size(); ++i)
    fuzz::promise(understood->bins[i - 1] < understood->bins[i], "bins rise");
  for (const auto& [role, column] : understood->columns)
    fuzz::promise(!role.empty() && !column.empty(), "columns have names");
  return 0;
}
