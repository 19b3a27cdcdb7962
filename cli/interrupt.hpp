// Ctrl-C, SIGTERM and a closed terminal: files that are not finished are removed before the program ends.
#pragma once

#include <functional>
#include <string>

namespace fairstep::cli {

/// From now on a signal removes every file that is marked below, calls `farewell` and ends the program with 128 plus
/// the signal's number (130 for Ctrl-C). Signals that the parent chose to ignore stay ignored. Call before starting any
/// thread, once.
void watch_for_interrupts(std::function<void()> farewell);

/// Marks a file as unfinished for as long as the guard lives.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(std::string path);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  /// Runs `finish`, which gives the file its final name; an interrupt comes before it or after it, not during.
  void finish(const std::function<void()>& finish);

 private:
  std::string path_;
};

}  // namespace fairstep::cli
