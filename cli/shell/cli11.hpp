// The names of CLI11 that our headers mention; its own headers are large and stay in a few sources.
#pragma once

// NOLINTNEXTLINE(readability-identifier-naming): theirs
namespace CLI {
class App;
class Option;
}  // namespace CLI
