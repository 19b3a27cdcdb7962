#include <cstdio>
#include <string>
#include <vector>

#include "shell/run.hpp"

int main(int argc, char** argv) {
  std::vector<std::string> words;
  try {
    words.assign(argv + (argc > 0 ? 1 : 0), argv + argc);
  } catch (...) {
    std::fputs("error: out of memory\n", stderr);
    return static_cast<int>(fairstep::cli::ExitCode::failed);
  }
  return static_cast<int>(fairstep::cli::run(words));
}
