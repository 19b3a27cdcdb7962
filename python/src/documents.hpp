// Files, texts and pickles of a document: the same for models, policies and counts.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <variant>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>

#include <fairstep/io/files.hpp>

#include "convert.hpp"

namespace fairstep::python {

template <class T>
T parse(const std::string& text, const char* expected) {
  Document document = unwrap(parse_document(text));
  if (T* found = std::get_if<T>(&document)) return std::move(*found);
  throw Refused(Error{std::string("this is another document, expected ") + expected, "/schema"});
}

/// The log itself is not to be replaced by its counts, under whatever name.
inline void keep_log(const Counts& counts, const std::filesystem::path& path) {
  if (!counts.log()) return;
  std::error_code ignored;
  for (const std::string& file : counts.log()->files)
    if (std::filesystem::is_regular_file(file, ignored) && std::filesystem::equivalent(path, file, ignored))
      throw Refused(Error{"this is the log " + file + " that was counted: it would be lost, expected another file",
                          {},
                          path.string(),
                          {}});
}

template <class T, class Class, class Read>
void add_documents(Class& bound, const char* what, Read read) {
  bound
      .def_static(
          "load", [read](const std::filesystem::path& path) { return unwrap(read(path)); }, nb::arg("path"),
          "From a file (docs/formats.md).")
      .def_static(
          "from_json", [what](const std::string& text) { return parse<T>(text, what); }, nb::arg("text"),
          "From the text of such a file.")
      .def(
          "to_json", [](const T& self) { return to_text(self); }, "The text of the file that `save` writes.")
      .def(
          "save",
          [](const T& self, const std::filesystem::path& path) {
            if constexpr (std::is_same_v<T, Counts>) keep_log(self, path);
            unwrap(write_file(path, to_text(self)));
          },
          nb::arg("path"), "Writes the file, whole or not at all; numbers read back the same to the last bit.")
      .def("__getstate__", [](const T& self) { return to_text(self); })
      .def("__setstate__", [what](T& self, const std::string& text) { new (&self) T(parse<T>(text, what)); })
      .def(
          "__eq__", [](const T& self, const T& other) { return to_text(self) == to_text(other); }, nb::is_operator(),
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const T& self) { return std::hash<std::string>{}(to_text(self)); });
}

}  // namespace fairstep::python
