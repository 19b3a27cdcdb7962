#include "shell/interrupt.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include <pthread.h>
#include <unistd.h>

namespace fairstep::cli {
namespace {

struct Unfinished {
  std::mutex mutex{};
  std::set<std::string> paths{};
  bool finished = false;  ///< some file was
};

/// Apart from the files, whose lock may be held for as long as a write takes.
struct Search {
  std::mutex mutex{};
  std::stop_source* source = nullptr;  ///< to be asked before the program is ended
  int signal = 0;                      ///< that it was asked by
};

/// Never destroyed: the watching thread may outlive main's statics.
Unfinished& unfinished() {
  static auto* all = new Unfinished;
  return *all;
}

Search& search() {
  static auto* one = new Search;
  return *one;
}

/// Whether there is a search to stop, which has now been asked to.
bool stop_search(int signal) {
  const std::scoped_lock lock(search().mutex);
  if (search().source == nullptr || search().signal != 0) return false;
  search().signal = signal;
  search().source->request_stop();
  return true;
}

constexpr double kLongestLimit = 1e8;  ///< seconds, some three years

pthread_t watcher{};
std::atomic<bool> watching = false;
std::atomic<int> early = 0;  ///< a signal that came before there was a watcher

/// Libraries may start threads before main does anything, OpenBLAS for one. A signal that reaches such a thread is sent
/// on to the one that waits for it.
void send_on(int signal) {
  if (watching)
    pthread_kill(watcher, signal);
  else
    early = signal;
}

}  // namespace

void watch_for_interrupts(std::function<void(bool finished)> farewell) {
  sigset_t watched;
  sigemptyset(&watched);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction current{};
    if (sigaction(signal, nullptr, &current) == 0 && current.sa_handler != SIG_IGN) sigaddset(&watched, signal);
  }
  // The handler first: from the moment that signals are blocked here, none may end the program through another thread.
  struct sigaction handler{};
  handler.sa_handler = send_on;
  handler.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    if (sigismember(&watched, signal) == 1) sigaction(signal, &handler, nullptr);
  // Blocked everywhere and awaited in one thread: the clean-up is then ordinary code, free to lock and to allocate.
  pthread_sigmask(SIG_BLOCK, &watched, nullptr);
  std::thread waiting([watched, farewell = std::move(farewell)] {
    int signal = 0;
    do {
      if (sigwait(&watched, &signal) != 0) return;
    } while (stop_search(signal));
    for (const int next : {SIGINT, SIGTERM, SIGHUP})  // one more ends the program whatever it is doing
      if (sigismember(&watched, next) == 1) ::signal(next, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &watched, nullptr);
    Unfinished& all = unfinished();
    all.mutex.lock();  // for good: nothing is finished or begun from here on
    for (const std::string& path : all.paths) ::unlink(path.c_str());
    farewell(all.finished);
    ::_exit(128 + signal);
  });
  watcher = waiting.native_handle();
  waiting.detach();
  watching = true;
  if (const int signal = early; signal != 0) pthread_kill(watcher, signal);
}

void something_is_kept() {
  const std::scoped_lock lock(unfinished().mutex);
  unfinished().finished = true;
}

void stay_if_interrupted() { const std::scoped_lock lock(unfinished().mutex); }

UnfinishedFile::UnfinishedFile(const std::function<std::string()>& begin) {
  const std::scoped_lock lock(unfinished().mutex);
  path_ = begin();
  if (!path_.empty()) unfinished().paths.insert(path_);
}

UnfinishedFile::~UnfinishedFile() {
  const std::scoped_lock lock(unfinished().mutex);
  unfinished().paths.erase(path_);
}

void UnfinishedFile::finish(const std::function<bool()>& finish) { finish_all({this}, finish); }

void UnfinishedFile::finish_all(const std::vector<UnfinishedFile*>& files, const std::function<bool()>& finish) {
  const std::scoped_lock lock(unfinished().mutex);
  if (!finish()) return;
  unfinished().finished = true;
  for (const UnfinishedFile* file : files) unfinished().paths.erase(file->path_);
}

StopOnInterrupt::StopOnInterrupt(std::optional<double> seconds) {
  if (seconds)
    timer_ = std::jthread(
        [this, limit = std::chrono::duration<double>(std::min(*seconds, kLongestLimit))](const std::stop_token& over) {
          std::mutex mutex;
          std::unique_lock lock(mutex);
          std::condition_variable_any().wait_for(lock, over, limit, [] { return false; });
          if (!over.stop_requested()) source_.request_stop();
        });
  const std::scoped_lock lock(search().mutex);
  search().source = &source_;
}

StopOnInterrupt::~StopOnInterrupt() {
  timer_ = {};
  const std::scoped_lock lock(search().mutex);
  search().source = nullptr;
}

int StopOnInterrupt::signal() {
  const std::scoped_lock lock(search().mutex);
  return search().signal;
}

}  // namespace fairstep::cli
