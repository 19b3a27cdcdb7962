// Long work without the interpreter's lock, that Ctrl-C stops and that can be watched.
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include <nanobind/nanobind.h>

namespace fairstep::python {

/// Calls `work(stop, tell)` in a thread of its own, while this one listens for signals. `tell(news)` may be called from
/// there at any time; the latest news reach `hear` here, with the lock held. Whatever `hear` throws, and Ctrl-C,
/// stops the work and is raised once it has ended. After `seconds` the work is stopped, too; if all that it then has is
/// an error, that is a TimeoutError.
template <class News, class Work>
auto interruptible(const Work& work, const std::function<void(const News&)>& hear,
                   std::optional<double> seconds = std::nullopt) {
  namespace nb = nanobind;
  using Result = decltype(work(std::stop_token{}, std::function<void(const News&)>{}));
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<News> news;
  std::optional<Result> result;
  std::exception_ptr failure;
  bool ended = false;

  std::jthread worker([&](const std::stop_token& stop) {
    try {
      Result made = work(stop, [&](const News& latest) {
        const std::scoped_lock lock(mutex);
        news = latest;
      });
      const std::scoped_lock lock(mutex);
      result.emplace(std::move(made));
    } catch (...) {
      const std::scoped_lock lock(mutex);
      failure = std::current_exception();
    }
    const std::scoped_lock lock(mutex);
    ended = true;
    changed.notify_all();
  });

  std::optional<nb::python_error> raised;
  const auto listen = [&] {
    std::optional<News> heard;
    {
      const std::scoped_lock lock(mutex);
      std::swap(heard, news);
    }
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (heard && hear) hear(*heard);
    } catch (nb::python_error& error) {
      raised.emplace(std::move(error));
      worker.request_stop();
    }
  };
  const auto begun = std::chrono::steady_clock::now();
  bool late = false;
  while (true) {
    bool over = false;
    {
      const nb::gil_scoped_release released;
      std::unique_lock lock(mutex);
      over = changed.wait_for(lock, std::chrono::milliseconds(50), [&] { return ended; });
    }
    if (!raised) listen();
    if (over) break;
    if (!late && seconds &&
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count() > *seconds) {
      late = true;
      worker.request_stop();
    }
  }
  worker.join();
  if (raised) throw std::move(*raised);
  if (failure) std::rethrow_exception(failure);
  if (late && !*result) {
    PyErr_SetString(PyExc_TimeoutError, result->error().message.c_str());
    throw nb::python_error();
  }
  return std::move(*result);
}

}  // namespace fairstep::python
