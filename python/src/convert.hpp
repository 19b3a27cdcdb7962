// How C++ values become Python ones: errors become ValueError, tensors become read-only arrays that keep their owner
// alive, and anything that NumPy takes for an array becomes a tensor.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <fairstep/core/by_period.hpp>
#include <fairstep/core/error.hpp>
#include <fairstep/core/grounds.hpp>
#include <fairstep/core/model.hpp>
#include <fairstep/core/periods.hpp>
#include <fairstep/core/tensor.hpp>

namespace fairstep::python {

namespace nb = nanobind;

/// An Error on its way to Python, where it is a ValueError (an OSError if a disk refuses, a RuntimeError if the mistake
/// is ours) with the message word for
/// word and with notes that say where and what to do. It may be thrown without the interpreter's lock.
class Refused : public std::exception {
 public:
  explicit Refused(Error error) : error_(std::move(error)) {}
  [[nodiscard]] const Error& error() const { return error_; }
  [[nodiscard]] const char* what() const noexcept override { return error_.message.c_str(); }

 private:
  Error error_;
};

void translate_refusals();  ///< once, when the module is loaded

/// The value, or ValueError.
template <class T>
T unwrap(Expected<T>&& result) {
  if (!result) throw Refused(std::move(result.error()));
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

template <class T, std::size_t Rank>
using Array = nb::ndarray<nb::numpy, const T, nb::ndim<Rank>, nb::c_contig>;

/// The tensor's own memory, with its axes.
template <class T, std::size_t Rank>
Array<T, Rank> view(const Tensor<T, Rank>& tensor, nb::handle owner) {
  return Array<T, Rank>(tensor.flat().data(), Rank, tensor.extents().data(), owner);
}

template <class T>
Array<T, 1> view(const std::vector<T>& list, nb::handle owner) {
  const std::size_t size = list.size();
  return Array<T, 1>(list.data(), 1, &size, owner);
}

/// [g,...] if there is one for all steps, otherwise [g,period,...].
template <class T>
using AnyArray = nb::ndarray<nb::numpy, const T, nb::c_contig>;

template <class T, std::size_t Rank>
AnyArray<T> view(const ByPeriod<T, Rank>& table, bool by_period, nb::handle owner) {
  const auto one = table.extents_of_one();
  std::vector<std::size_t> extents(one.begin(), one.end());
  if (by_period) extents.insert(extents.begin() + 1, table.periods());
  return AnyArray<T>(table.all().data(), extents.size(), extents.data(), owner);
}

/// `.def_prop_ro("reward", array_of<Model>([](const Model& m) -> auto& { return m.spec().reward; }))`: an array that
/// keeps its object alive.
template <class Class, class Part>
auto array_of(Part part) {
  return [part](nb::handle_t<Class> self) { return view(part(nb::cast<const Class&>(self)), self); };
}

/// An array of its own for numbers that are made on the way.
template <class T>
Array<T, 1> owned(std::vector<T> list) {
  auto kept = std::make_unique<std::vector<T>>(std::move(list));
  const std::size_t size = kept->size();
  const T* data = kept->data();
  const nb::capsule owner(kept.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Array<T, 1>(data, 1, &size, owner);
}

template <class T, std::size_t Rank>
Array<T, Rank> owned(Tensor<T, Rank> tensor) {
  auto kept = std::make_unique<Tensor<T, Rank>>(std::move(tensor));
  const auto extents = kept->extents();
  const T* data = kept->flat().data();
  const nb::capsule owner(kept.release(), [](void* p) noexcept { delete static_cast<Tensor<T, Rank>*>(p); });
  return Array<T, Rank>(data, Rank, extents.data(), owner);
}

/// A tensor from whatever NumPy makes an array of; `axes` as in "[g,x,y]", for messages.
template <class T, std::size_t Rank>
Tensor<T, Rank> tensor_of(const nb::object& from, const char* name, const char* axes) {
  const nb::object made = nb::module_::import_("numpy").attr("ascontiguousarray")(
      from, nb::arg("dtype") = std::is_same_v<T, double> ? "float64" : "int64");
  const auto array = nb::cast<nb::ndarray<const T, nb::c_contig, nb::device::cpu>>(made);
  if (array.ndim() != Rank)
    throw Refused(Error{std::string(name) + " has " + std::to_string(array.ndim()) + " axes, expected " +
                        std::to_string(Rank) + ": " + axes});
  typename Tensor<T, Rank>::Extents extents{};
  for (std::size_t axis = 0; axis < Rank; ++axis) extents[axis] = array.shape(axis);
  Tensor<T, Rank> tensor(extents);
  std::copy(array.data(), array.data() + tensor.size(), tensor.flat().begin());
  return tensor;
}

/// A table by period: of so many more axes as there are names of periods.
template <class T, std::size_t Rank>
ByPeriod<T, Rank> by_period_of(const nb::object& from, const char* name, const char* axes, const char* with_periods,
                               const Periods& periods) {
  if (periods.pooled()) return tensor_of<T, Rank>(from, name, axes);
  return ByPeriod<T, Rank>(tensor_of<T, Rank + 1>(from, name, with_periods));
}

/// Names and first steps, in order.
using NamedSteps = std::vector<std::pair<std::string, std::size_t>>;

inline Periods periods_of(NamedSteps named) {
  Periods periods;
  for (auto& [name, step] : named) periods.list.push_back({std::move(name), step});
  return periods;
}

/// `{"before": 0, "after": 3}`, or None.
inline Periods periods_of(const nb::object& mapping) {
  if (mapping.is_none()) return {};
  const nb::object items = nb::module_::import_("builtins").attr("list")(mapping.attr("items")());
  return periods_of(nb::cast<NamedSteps>(items));
}

inline nb::dict dict_of(const Periods& periods) {
  nb::dict steps;
  for (const Period& period : periods.list) steps[period.name.c_str()] = period.first_step;
  return steps;
}

/// What `kernel=` asks for: a word, or names and first steps.
using KernelWanted = std::variant<std::string, NamedSteps>;

inline KernelChoice kernel_choice(const KernelWanted& wanted) {
  if (const auto* named = std::get_if<NamedSteps>(&wanted)) return {false, periods_of(*named)};
  return unwrap(KernelChoice::parse(std::get<std::string>(wanted)));
}

/// A result, and the names of the groups and features that it is about.
template <class T>
struct Named {
  std::shared_ptr<const T> it{};
  std::shared_ptr<const Names> names{};
  std::shared_ptr<const Grounds> grounds{};  ///< of the model behind it, if that is an estimate

  Named(T made, const Names& its_names, std::shared_ptr<const Grounds> its_grounds = nullptr)
      : it(std::make_shared<const T>(std::move(made))),
        names(std::make_shared<const Names>(its_names)),
        grounds(std::move(its_grounds)) {}
  Named(std::shared_ptr<const T> shared, std::shared_ptr<const Names> its_names,
        std::shared_ptr<const Grounds> its_grounds = nullptr)
      : it(std::move(shared)), names(std::move(its_names)), grounds(std::move(its_grounds)) {}

  /// A part of it, which keeps all of it.
  template <class Part>
  [[nodiscard]] Named<Part> part(const Part& inside) const {
    return Named<Part>(std::shared_ptr<const Part>(it, &inside), names, grounds);
  }
};

template <class T, class Part>
auto named_array(Part part) {
  return [part](nb::handle_t<Named<T>> self) { return view(part(*nb::cast<const Named<T>&>(self).it), self); };
}

/// A method that is written in Python: `.def("to_frame", in_python("fairstep._frames", "rates"), nb::sig(...))`.
inline auto in_python(const char* module, const char* function) {
  return [module, function](nb::handle self, const nb::args& rest, const nb::kwargs& options) {
    return nb::module_::import_(module).attr(function)(self, *rest, **options);
  };
}

}  // namespace fairstep::python
