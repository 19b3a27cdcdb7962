#include "learn/runs.hpp"

#include <fstream>
#include <iterator>
#include <stop_token>

#include <fairstep/io/folder_lock.hpp>

#include "support/models.hpp"

namespace fairstep::testing {

namespace fs = std::filesystem;

Tree tree_of(const fs::path& folder) {
  Tree tree;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.path().filename() == FolderLock::kName) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    tree[fs::relative(entry.path(), folder).string()] = {std::istreambuf_iterator<char>(file), {}};
  }
  return tree;
}

void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

LearnOptions short_run() {
  LearnOptions options = quick({1, 8, 20, 64});
  options.trial_episodes = 20;
  options.seed = 3;
  return options;
}

RunOptions plain() {
  RunOptions run;
  run.version = "1.2.3";
  return run;
}

Run run_in(const fs::path& folder, const LearnOptions& options, const RunOptions& run, const Model& model) {
  return unwrap(run_in_folder(folder, model, options, run));
}

Run run_some(const fs::path& folder, LearnOptions options, std::size_t updates) {
  std::stop_source source;
  options.stop = source.get_token();
  if (updates == 0) source.request_stop();
  RunOptions run = plain();
  run.on_update = [&](const Update&) {
    if (--updates == 0) source.request_stop();
  };
  return run_in(folder, options, run);
}

}  // namespace fairstep::testing
