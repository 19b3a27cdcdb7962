// Ctrl-C, SIGTERM and a closed terminal: files that are not finished are removed before the program ends, and long
// searches may end early with what they have.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace fairstep::cli {

/// From now on a signal removes every file that is marked below, calls `farewell` (with whether a file was finished
/// before) and ends the program with 128 plus the signal's number (130 for Ctrl-C); a second signal ends it at once.
/// Signals that the parent chose to ignore stay ignored. Call before starting any thread, once.
void watch_for_interrupts(std::function<void(bool finished)> farewell);

/// Something is kept on disk apart from the files that are marked below: a farewell must not say that nothing is.
void something_is_kept();

/// Returns at once, or never if an interrupt is ending the program: what is said last is the interrupt's to say. What
/// the rest of the program makes of its files being gone is nobody's concern then.
void stay_if_interrupted();

/// Marks a file as unfinished for as long as the guard lives. An interrupt comes before or after `begin` and `finish`,
/// never between: they must not wait for anybody.
class UnfinishedFile {
 public:
  /// `begin` makes the file and returns its name, empty if there is none to remove.
  explicit UnfinishedFile(const std::function<std::string()>& begin);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  /// `finish` gives the file its final name and says whether it succeeded.
  void finish(const std::function<bool()>& finish);
  /// The same for several at once.
  static void finish_all(const std::vector<UnfinishedFile*>& files, const std::function<bool()>& finish);

 private:
  std::string path_{};
};

/// For as long as it lives the first signal does not end the program but asks a search to stop; the second one ends it.
/// So does a time limit, if there is one: it runs from the making on.
class StopOnInterrupt {
 public:
  explicit StopOnInterrupt(std::optional<double> seconds = std::nullopt);
  ~StopOnInterrupt();
  StopOnInterrupt(const StopOnInterrupt&) = delete;
  StopOnInterrupt& operator=(const StopOnInterrupt&) = delete;

  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }
  /// The signal that came, 0 if none did.
  [[nodiscard]] static int signal();

 private:
  std::stop_source source_{};
  std::jthread timer_{};
};

}  // namespace fairstep::cli
