#include <string>
#include <vector>

#include "run.hpp"

int main(int argc, char** argv) {
  return static_cast<int>(fairstep::cli::run(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc)));
}
