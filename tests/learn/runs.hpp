// Small runs in folders, and what they leave there.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>

#include <fairstep/learn/run.hpp>

#include "learn/watched.hpp"

namespace fairstep::testing {

using Tree = std::map<std::string, std::string>;

/// Every file below a folder but the lock, which names the last process.
Tree tree_of(const std::filesystem::path& folder);

void write(const std::filesystem::path& path, const std::string& text);

/// Four updates, the first before anybody was seen.
LearnOptions short_run();

RunOptions plain();

Run run_in(const std::filesystem::path& folder, const LearnOptions& options, const RunOptions& run = plain(),
           const Model& model = population());

/// The run stopped after `updates` more of them.
Run run_some(const std::filesystem::path& folder, LearnOptions options, std::size_t updates);

}  // namespace fairstep::testing
