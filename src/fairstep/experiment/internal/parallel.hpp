// Independent pieces of work on a few threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <stop_token>
#include <system_error>
#include <thread>
#include <vector>

namespace fairstep::internal {

/// work(i) for i = 0 .. count - 1, begun in this order, each by whichever thread is free; the caller's thread is one of
/// them. Nothing is begun any more once a stop is requested. What `work` throws is thrown here, after all have ended.
template <class Work>
void for_each_index(std::size_t count, unsigned threads, const std::stop_token& stop, const Work& work) {
  std::atomic<std::size_t> next{0};
  std::vector<std::exception_ptr> thrown(std::max(threads, 1U));
  const auto take_turns = [&](unsigned worker) {
    try {
      for (std::size_t i = next++; i < count && !stop.stop_requested(); i = next++) work(i);
    } catch (...) {
      thrown[worker] = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> others;
    try {
      for (unsigned worker = 1; worker < threads && worker < count; ++worker) others.emplace_back(take_turns, worker);
    } catch (const std::system_error&) {
      threads = 1;  // The machine has no more threads to give: those that there are do the work.
    }
    take_turns(0);
  }
  for (const std::exception_ptr& trouble : thrown)
    if (trouble) std::rethrow_exception(trouble);
}

}  // namespace fairstep::internal
