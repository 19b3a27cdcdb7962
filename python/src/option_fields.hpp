// Option structs from keywords: Python names the fields that it sets, and the others keep the library's defaults.
#pragma once

#include <algorithm>
#include <concepts>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <fairstep/core/words.hpp>

#include "convert.hpp"
#include "words.hpp"

namespace fairstep::python {

/// How Python spells a field's type.
template <class T>
std::string spelt() {
  if constexpr (std::same_as<T, bool>)
    return "bool";
  else if constexpr (std::integral<T>)
    return "int";
  else if constexpr (std::floating_point<T>)
    return "float";
  else if constexpr (Worded<T> || std::same_as<T, std::string>)
    return "str";
  else if constexpr (std::same_as<T, std::filesystem::path>)
    return "str | os.PathLike";
  else if constexpr (requires(T maybe) { maybe.has_value(); })
    return spelt<typename T::value_type>() + " | None";
  else if constexpr (requires(T pair) { pair.second; })
    return "tuple[" + spelt<typename T::first_type>() + ", " + spelt<typename T::second_type>() + "]";
  else if constexpr (requires(T list) { list.push_back(list.front()); })
    return "collections.abc.Sequence[" + spelt<typename T::value_type>() + "]";
  else
    return nb::cast<std::string>(nb::type<T>().attr("__name__"));
}

template <class T>
struct OptionField {
  std::string name{}, type{};
  std::function<void(T&, nb::handle)> set{};
};

/// What Python gave for a field, or TypeError.
template <class Value>
Value given_as(nb::handle given, const char* name) {
  Value value{};
  if (nb::try_cast(given, value)) return value;
  throw nb::type_error(fmt::format("{} is {}, expected {}", name, nb::repr(given).c_str(), spelt<Value>()).c_str());
}

template <class T, class Member>
OptionField<T> field(const char* name, Member T::* member) {
  return {name, spelt<Member>(), [name, member](T& options, nb::handle given) {
            if constexpr (Worded<Member>)
              options.*member = chosen<Member>(given_as<std::string>(given, name), name);
            else
              options.*member = given_as<Member>(given, name);
          }};
}

template <class T>
class OptionFields {
 public:
  OptionFields(std::initializer_list<OptionField<T>> fields) : fields_(fields) {}

  [[nodiscard]] T from(const nb::kwargs& given) const {
    T options{};
    for (const auto [key, value] : given) {
      const std::string name = nb::cast<std::string>(key);
      const auto known =
          std::find_if(fields_.begin(), fields_.end(), [&](const OptionField<T>& field) { return field.name == name; });
      if (known == fields_.end()) throw nb::type_error(("there is no option " + name).c_str());
      known->set(options, value);
    }
    return options;
  }

  /// `gap: float = ..., effort: int = ...`
  [[nodiscard]] std::string signature() const {
    std::string text;
    for (const OptionField<T>& field : fields_)
      text += fmt::format("{}{}: {} = ...", text.empty() ? "" : ", ", field.name, field.type);
    return text;
  }

 private:
  std::vector<OptionField<T>> fields_;
};

/// A class that is made of keywords.
template <class T>
void bind_options(nb::module_& module, const char* name, const char* doc, const OptionFields<T>& fields) {
  nb::class_<T>(module, name, doc)
      .def(
          "__init__", [fields](T* self, const nb::kwargs& given) { new (self) T(fields.from(given)); },
          nb::sig(("def __init__(self, *, " + fields.signature() + ") -> None").c_str()));
}

}  // namespace fairstep::python
