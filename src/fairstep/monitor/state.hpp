// A folder that keeps what was asked and every day that was added: monitor.json, certificate.json if there is one, and
// 000001.json, 000002.json, ... Each names the fingerprint of the one before, and is there whole or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fairstep/core/error.hpp>
#include <fairstep/io/folder_lock.hpp>
#include <fairstep/monitor/monitor.hpp>

namespace fairstep {

class MonitorState {
 public:
  /// Whether the folder holds one; there is one from its first day on.
  [[nodiscard]] static bool exists(const std::filesystem::path& folder);

  /// Reads and checks everything: fingerprints, the chain of days, and that alarms are those that the days prove. An
  /// Error names the file that is not what was written.
  [[nodiscard]] static Expected<MonitorState> read(const std::filesystem::path& folder);

  /// Nothing is written before the first day is added. The certificate is its file's text.
  [[nodiscard]] static Expected<MonitorState> begin(MonitorQuestion question, std::optional<std::string> certificate);

  /// Adds a day and returns what it refutes: to be called by whoever holds the folder's lock. When it returns the day
  /// is on the disk; a process that dies before leaves the state as it was.
  [[nodiscard]] Expected<void> add(const std::filesystem::path& folder, MonitorDay day);

  [[nodiscard]] const MonitorQuestion& question() const { return question_; }
  [[nodiscard]] const std::optional<std::string>& certificate() const { return certificate_; }  ///< the text
  [[nodiscard]] const Certified* certified() const { return certified_ ? &*certified_ : nullptr; }
  [[nodiscard]] const std::vector<Claim>& claims() const { return claims_; }
  [[nodiscard]] const std::vector<MonitorDay>& days() const { return days_; }
  [[nodiscard]] const std::vector<Standing>& standings() const { return ledger_.standings(); }
  /// Of the last file: whoever keeps it elsewhere can see that no day was taken off the end.
  [[nodiscard]] const std::string& fingerprint() const { return fingerprint_; }

 private:
  MonitorState(MonitorQuestion question, std::optional<std::string> certificate, std::optional<Certified> certified,
               std::vector<Claim> claims);
  [[nodiscard]] Expected<void> take(std::string_view text);

  MonitorQuestion question_;
  std::optional<std::string> certificate_;
  std::optional<Certified> certified_;
  std::vector<Claim> claims_;
  Ledger ledger_;
  std::vector<MonitorDay> days_{};
  std::string fingerprint_{};
};

/// The certificate's text in the folder of a state.
[[nodiscard]] std::filesystem::path certificate_file(const std::filesystem::path& folder);

/// An Error if a file is where the folder of a state is expected.
[[nodiscard]] Expected<void> check_no_file(const std::filesystem::path& folder);

/// Makes the folder if it is not there, takes its lock and removes what was left unfinished. An Error if something else
/// is in it.
[[nodiscard]] Expected<FolderLock> open_state(const std::filesystem::path& folder);

}  // namespace fairstep
