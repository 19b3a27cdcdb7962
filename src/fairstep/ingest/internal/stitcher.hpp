// The rows of a person, wherever they lie, put together and handed to the person's counter.
//
// A stitcher may see only parts of the log, as one of several threads does. It counts the persons in the middle of a
// part, and keeps the rows at both of its ends: the rest of those persons is elsewhere. `absorb` and `finish` join the
// parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fairstep/ingest/internal/chunk.hpp>
#include <fairstep/ingest/internal/counters.hpp>
#include <fairstep/ingest/internal/duckdb.hpp>
#include <fairstep/ingest/internal/person_key.hpp>
#include <fairstep/ingest/internal/vocabulary.hpp>

namespace fairstep::internal {

class Stitcher {
 public:
  /// `numbered`: persons are numbers, and texts otherwise. `together`: the engine has sorted, and there is no need to
  /// doubt that a person's rows are together.
  Stitcher(bool numbered, bool together) : numbered_(numbered), together_(together) {}

  /// The rows of a chunk. Those that lie in sequence but not right after the last ones begin another part.
  void take(const RawColumn& people, const Chunk& chunk, RowPlaces places, Counters& counters);

  /// Takes over the parts of another one, whose numbers are ours by `ours`.
  void absorb(Stitcher& other, const Renumbering& ours);
  /// Counts those at the ends of parts.
  void finish(Counters& counters);

  /// Persons do not come in a rising order, so that their rows are not known to be together.
  void give_up() { disordered_ = true; }
  [[nodiscard]] bool disordered() const { return disordered_; }

 private:
  struct Person {
    bool any = false;
    std::int64_t number = 0;
    std::string name{};

    [[nodiscard]] bool is(std::int64_t key) const { return any && number == key; }
    [[nodiscard]] bool is(std::string_view key) const { return any && name == key; }
    [[nodiscard]] bool is_before(std::int64_t key) const { return comes_before(number, key); }
    [[nodiscard]] bool is_before(std::string_view key) const { return comes_before(name, key); }
    void become(std::int64_t key) {
      any = true;
      number = key;
    }
    void become(std::string_view key) {
      any = true;
      name.assign(key);
    }
  };
  /// A part of the log without a break. The first and the last person in it may have more rows elsewhere.
  struct Part {
    std::uint64_t start = 0;
    Person first{}, last{};
    std::vector<Row> head{}, tail{};  ///< their rows; no tail if there is only one person
    bool one_person = true;
  };

  template <class Value>
  void gather(const Value* people, const Chunk& chunk, RowPlaces places, Counters& counters);
  void close_person(Counters& counters);
  void count(const Person& person, std::vector<Row>& rows, Counters& counters) const;
  void open_part(RowPlaces places, std::size_t rows);
  void close_part();

  bool numbered_, together_;
  Person person_{};  ///< being read, and their rows so far
  std::vector<Row> rows_{};
  Part part_{};
  bool part_open_ = false;
  std::uint64_t next_place_ = 0;  ///< of a row that goes on with the part
  std::vector<Part> parts_{};
  bool disordered_ = false;
};

}  // namespace fairstep::internal
