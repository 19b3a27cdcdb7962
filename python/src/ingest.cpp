// Logs into counts: files, and frames through the Arrow C stream interface.
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <fairstep/ingest/count.hpp>
#include <fairstep/ingest/frame.hpp>
#include <fairstep/ingest/parts.hpp>

#include "convert.hpp"
#include "interruptible.hpp"
#include "parts.hpp"
#include "words.hpp"

namespace fairstep::python {
namespace {

/// The frame behind an object with the method __arrow_c_stream__.
Frame frame_of(const nb::object& data) {
  const nb::object capsule = data.attr("__arrow_c_stream__")();
  auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (stream == nullptr) throw nb::python_error();
  const nb::gil_scoped_release released;
  return unwrap(Frame::take(*stream));
}

/// What is given up by Ctrl-C, and when its time is over.
template <class Count>
auto counted(CountOptions options, std::optional<double> time_limit, const Count& count) {
  return unwrap(interruptible<int>(
      [&](const std::stop_token& stop, const auto&) {
        options.stop = stop;
        return count(options);
      },
      {}, time_limit));
}

using Parts = std::pair<Counts, Counts>;

Parts parts_of(SplitLog&& split) { return {std::move(split.design.counts), std::move(split.audit.counts)}; }

/// Share and seed.
using ShareAndSeed = std::pair<double, std::uint64_t>;

std::optional<Split> split_of(const std::optional<ShareAndSeed>& given) {
  if (!given) return std::nullopt;
  return Split{given->first, given->second};
}

std::string_view view_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

std::vector<std::string> texts_of(const std::vector<nb::bytes>& parts) {
  std::vector<std::string> texts;
  texts.reserve(parts.size());
  for (const nb::bytes& part : parts) texts.emplace_back(view_of(part));
  return texts;
}

nb::bytes bytes_of(const std::string& text) { return nb::bytes(text.data(), text.size()); }

/// What was made of a text, or an error that says what it should be.
template <class T>
T parsed(std::optional<T> made, const std::string& otherwise) {
  if (!made) throw Refused(Error{otherwise});
  return std::move(*made);
}

/// For fairstep.spark: a log that is counted in parts elsewhere.
void bind_counting_in_parts(nb::module_& module) {
  nb::class_<PartedLog>(module, "PartedLog")
      .def(
          "__init__",
          [](PartedLog* self, std::vector<std::string> files, std::vector<std::pair<std::string, std::string>> columns,
             std::int64_t malformed, std::size_t file, std::int64_t line, const std::optional<ShareAndSeed>& split) {
            new (self) PartedLog{std::move(files), std::move(columns), {malformed, file, line}, split_of(split)};
          },
          nb::arg("files"), nb::arg("columns"), nb::arg("malformed"), nb::arg("file"), nb::arg("line"),
          nb::arg("split").none() = nb::none());
  module.def(
      "asked_columns",
      [](const std::vector<std::string>& columns, const std::string& file, const CountOptions& options) {
        AskedColumns asked = unwrap(asked_columns(columns, file, options));
        return nb::make_tuple(asked.needed, asked.person, asked.roles);
      },
      nb::arg("columns"), nb::arg("file"), nb::arg("options"),
      nb::sig(
          "def asked_columns(columns: Sequence[str], file: str, options: CountOptions) -> tuple[list[str], list[str], "
          "list[tuple[str, str]]]"));
  module.def(
      "delimiter_of",
      [](const std::string& file, const std::string& encoding) {
        return std::string(1, unwrap(delimiter_of(file, chosen<Encoding>(encoding, "encoding"))));
      },
      nb::arg("file"), nb::arg("encoding"));
  module.def(
      "count_part",
      [](const nb::object& data, const CountOptions& options, const std::string& place, const nb::bytes& shares,
         const std::optional<ShareAndSeed>& split) {
        const Frame frame = frame_of(data);
        const std::string_view known = view_of(shares);
        const std::string said = [&] {
          const nb::gil_scoped_release released;
          return unwrap(count_part(frame, options, place, known, split_of(split)));
        }();
        return bytes_of(said);
      },
      nb::arg("data"), nb::arg("options"), nb::arg("place"), nb::arg("shares"), nb::arg("split").none() = nb::none());
  module.def(
      "label_shares",
      [](const std::vector<nb::bytes>& parts, const PartedLog& log, const CountOptions& options) {
        return bytes_of(unwrap(label_shares(texts_of(parts), log, options)));
      },
      nb::arg("parts"), nb::arg("log"), nb::arg("options"));
  module.def(
      "join_parts",
      [](const std::vector<nb::bytes>& parts, const PartedLog& log, const CountOptions& options) {
        return unwrap(join_parts(texts_of(parts), log, options)).counts;
      },
      nb::arg("parts"), nb::arg("log"), nb::arg("options"));
  module.def(
      "join_split_parts",
      [](const std::vector<nb::bytes>& parts, const PartedLog& log, const CountOptions& options) {
        return parts_of(unwrap(join_split_parts(texts_of(parts), log, options)));
      },
      nb::arg("parts"), nb::arg("log"), nb::arg("options"));
}

}  // namespace

void bind_ingest(nb::module_& module) {
  nb::class_<CountOptions>(module, "CountOptions")
      .def(nb::init<>())
      .def_rw("columns", &CountOptions::columns)
      .def_rw("bins", &CountOptions::bins)
      .def_rw("groups", &CountOptions::groups)
      .def_rw("excluded_groups", &CountOptions::excluded_groups)
      .def_rw("features", &CountOptions::features)
      .def_rw("labels", &CountOptions::labels)
      .def_rw("actions", &CountOptions::actions)
      .def_rw("allow_loss", &CountOptions::allow_loss)
      .def_rw("groups_may_be_empty", &CountOptions::groups_may_be_empty)
      .def_rw("first_step", &CountOptions::first_step)
      .def_rw("horizon", &CountOptions::horizon)
      .def(
          "set_kernel",
          [](CountOptions& options, const KernelWanted& kernel) { options.kernel = kernel_choice(kernel); },
          nb::arg("kernel"))
      .def(
          "set_censored",
          [](CountOptions& options, const std::string& word) {
            const auto rule = named<Censoring>(word);
            if (!rule || *rule == Censoring::none)
              throw Refused(Error{"censored is \"" + word + "\", expected drop or assume-ignorable"});
            options.censoring = rule;
          },
          nb::arg("censored"))
      .def(
          "take_names", [](CountOptions& options, const Model& like) { take_names(like, options); }, nb::arg("like"))
      .def(
          "take_names", [](CountOptions& options, const Counts& like) { take_names(like, options); }, nb::arg("like"))
      .def(
          "set_window",
          [](CountOptions& options, const std::string& text) {
            const auto unit = CalendarUnit::parse(text);
            if (!unit)
              throw Refused(Error{"window is \"" + text +
                                  "\", expected month, quarter, year or a number of days such as 30days"});
            options.window = unit;
          },
          nb::arg("text"))
      .def(
          "set_delimiter", [](CountOptions& options, const std::string& text) { options.delimiter = text.at(0); },
          nb::arg("delimiter"))
      .def(
          "set_encoding",
          [](CountOptions& options, const std::string& word) { options.encoding = chosen<Encoding>(word, "encoding"); },
          nb::arg("encoding"))
      .def(
          "add_bins",
          [](CountOptions& options, const std::string& column, const std::vector<double>& edges) {
            unwrap(add_bins({column, edges}, options));
          },
          nb::arg("column"), nb::arg("edges"))
      .def_prop_rw(
          "named_bins",
          [](const CountOptions& options) {
            std::vector<std::pair<std::string, std::vector<double>>> bins;
            for (const ColumnBins& column : options.shape.bins) bins.emplace_back(column.column, column.edges);
            return bins;
          },
          [](CountOptions& options, const std::vector<std::pair<std::string, std::vector<double>>>& bins) {
            options.shape.bins.clear();
            for (const auto& [column, edges] : bins) options.shape.bins.push_back({column, edges});
          })
      .def(
          "set_query", [](CountOptions& options, const std::string& query) { options.shape.query = query; },
          nb::arg("query"))
      .def(
          "add_recode",
          [](CountOptions& options, const std::string& column, const std::map<std::string, std::string>& values,
             const std::optional<std::string>& other) { options.shape.recodes.push_back({column, values, other}); },
          nb::arg("column"), nb::arg("values"), nb::arg("other").none())
      .def(
          "add_recode_text",
          [](CountOptions& options, const std::string& text) {
            options.shape.recodes.push_back(
                parsed(Recode::parse(text), "recode is \"" + text +
                                                "\", expected a column and a name for each value, each once: "
                                                "EDUCATION:1=graduate,2=university,*=other"));
          },
          nb::arg("text"))
      .def(
          "add_wide",
          [](CountOptions& options, const std::vector<std::string>& from, const std::string& column) {
            options.shape.wide.push_back({from, column});
          },
          nb::arg("from_columns"), nb::arg("column"))
      .def(
          "add_wide_text",
          [](CountOptions& options, const std::string& text) {
            options.shape.wide.push_back(
                parsed(WideColumn::parse(text), "wide is \"" + text +
                                                    "\", expected a column for each step and what they are: "
                                                    "PAY_3,PAY_2,PAY_0:x"));
          },
          nb::arg("text"))
      .def(
          "set_step",
          [](CountOptions& options, const std::string& column, const std::string& every) {
            options.shape.step =
                parsed(StepRule::parse(column, every),
                       "every is \"" + every + "\", expected month, order, or a number of days such as 30d");
          },
          nb::arg("column"), nb::arg("every"))
      .def(
          "set_missing",
          [](CountOptions& options, const std::vector<std::string>& texts) { options.shape.missing = texts; },
          nb::arg("texts"))
      .def_rw("threads", &CountOptions::threads)
      .def_rw("memory_bytes", &CountOptions::memory_bytes)
      .def_rw("temporary_directory", &CountOptions::temporary_directory);
  module.def(
      "count_log",
      [](const std::vector<std::string>& patterns, const CountOptions& options, std::optional<double> time_limit) {
        return counted(options, time_limit,
                       [&](const CountOptions& stoppable) -> Expected<CountedLog> {
                         const auto files = find_logs(patterns);
                         if (!files) return tl::unexpected(files.error());
                         return count_log(*files, stoppable);
                       })
            .counts;
      },
      nb::arg("patterns"), nb::arg("options"), nb::arg("time_limit").none());
  module.def(
      "split_log",
      [](const std::vector<std::string>& patterns, ShareAndSeed split, const CountOptions& options,
         std::optional<double> time_limit) {
        return parts_of(counted(options, time_limit, [&](const CountOptions& stoppable) -> Expected<SplitLog> {
          const auto files = find_logs(patterns);
          if (!files) return tl::unexpected(files.error());
          return split_log(*files, {split.first, split.second}, stoppable);
        }));
      },
      nb::arg("patterns"), nb::arg("split"), nb::arg("options"), nb::arg("time_limit").none());
  module.def(
      "count_frame",
      [](const nb::object& data, const CountOptions& options, std::optional<double> time_limit) {
        const Frame frame = frame_of(data);
        return counted(options, time_limit,
                       [&](const CountOptions& stoppable) { return count_frame(frame, stoppable); })
            .counts;
      },
      nb::arg("data"), nb::arg("options"), nb::arg("time_limit").none());
  module.def(
      "split_frame",
      [](const nb::object& data, ShareAndSeed split, const CountOptions& options, std::optional<double> time_limit) {
        const Frame frame = frame_of(data);
        return parts_of(counted(options, time_limit, [&](const CountOptions& stoppable) {
          return split_frame(frame, {split.first, split.second}, stoppable);
        }));
      },
      nb::arg("data"), nb::arg("split"), nb::arg("options"), nb::arg("time_limit").none());
  bind_counting_in_parts(module);
}

}  // namespace fairstep::python
