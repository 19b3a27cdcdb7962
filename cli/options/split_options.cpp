#include "options/split_options.hpp"

#include <fmt/format.h>

#include <fairstep/io/files.hpp>

#include "answers/table.hpp"
#include "shell/guarded_file.hpp"
#include "shell/quantity.hpp"

namespace fairstep::cli {

void SplitOptions::declare(Options& options) {
  options.number("--split", share,
                 "split the people: this share of them is the design part, written to --output; all others are the "
                 "audit part");
  options.output(audit_file, "write the counts of the audit part there, with --split", "--audit");
}

Result<std::optional<Split>> SplitOptions::split(const std::optional<std::uint64_t>& seed,
                                                 const std::optional<std::string>& output) const {
  if (!share) {
    if (audit_file)
      return usage("--audit is given without --split", "--split 0.3 takes 30 % of the people for --output");
    return std::nullopt;
  }
  if (!audit_file || !output)
    return usage(fmt::format("--split needs {}: either part is a file of its own", audit_file ? "--output" : "--audit"),
                 "-o design.json --audit audit.json");
  if (!seed)
    return usage("--split needs --seed", "any number will do, chosen once and before anybody looks at results");
  const Split split{*share, *seed};
  if (auto ok = check(split); !ok) return usage(ok.error());
  return split;
}

Result<void> write_parts(const Counts& design, const std::string& design_file, const Counts& audit,
                         const std::string& audit_file, std::vector<std::string>& notes) {
  if (auto ok = write_all_guarded({{design_file, fairstep::to_text(design)}, {audit_file, fairstep::to_text(audit)}});
      !ok)
    return io_failure(ok.error());
  notes.push_back(fmt::format("wrote {}: design part, counts of {} decisions", design_file,
                              with_thousands(total(design.visits().flat()))));
  notes.push_back(fmt::format("wrote {}: audit part, counts of {} decisions", audit_file,
                              with_thousands(total(audit.visits().flat()))));
  notes.push_back(fmt::format("next: fairstep fit {} -o model.json", design_file));
  return {};
}

}  // namespace fairstep::cli
