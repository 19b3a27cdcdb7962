// All mutants of a source in one program: each place asks at run time whether its mistake is the one to be made.
//
// scripts/mutation/schemata.py rewrites the sources so: `a < b` becomes `a < Op<...>{} < b`, which binds as it did, and
// compares as it did unless the mutant of this run is one of its own.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <utility>

namespace fsm {

/// The mutant of this run, from the environment variable FAIRSTEP_MUTANT; 0 for none.
extern int active;
/// What does not compile as a mutant ends the program with this exit code.
inline constexpr int kStillborn = 77;

inline bool on(int id) { return active == id; }
[[noreturn]] inline void stillborn() { std::_Exit(kStillborn); }

template <int id, class A, class B>
A num(A old, B other) {
  return on(id) ? static_cast<A>(other) : old;
}
template <int id0, int id1, class A, class B, class C>
A num(A old, B other, C third) {
  return on(id0) ? static_cast<A>(other) : on(id1) ? static_cast<A>(third) : old;
}
template <int opposite, int never>
bool cond(bool is) {
  return on(opposite) ? !is : !on(never) && is;
}

#define FSM_FUNCTION(old, other)                                         \
  template <int id, class... A>                                          \
  auto old(const A&... a) {                                              \
    return on(id) ? std::other(a...) : std::old(a...);                   \
  }                                                                      \
  template <int id, class T>                                             \
    requires requires(std::initializer_list<T> list) { std::old(list); } \
  auto old(std::initializer_list<T> list) {                              \
    return on(id) ? std::other(list) : std::old(list);                   \
  }
FSM_FUNCTION(min, max)
FSM_FUNCTION(max, min)
FSM_FUNCTION(min_element, max_element)
FSM_FUNCTION(max_element, min_element)
FSM_FUNCTION(floor, ceil)
FSM_FUNCTION(ceil, floor)
#undef FSM_FUNCTION

enum Kind { lt, le, gt, ge, eq, ne, add, sub, mul, div, mod };
template <Kind>
struct Tag {};

/// An operator that is `was`, and another one in mutants id0 and id1.
template <Kind was, int id0, Kind new0, int id1 = -1, Kind new1 = was>
struct Op {
  static constexpr Kind kWas = was, kNew0 = new0, kNew1 = new1;
  static constexpr int kId0 = id0, kId1 = id1;
};
template <class A, class O>
struct Half {
  A&& a;
};

template <Kind kind, class R, class A, class B>
R changed(A&& a, B&& b) {
  if constexpr (requires { static_cast<R>(compute(Tag<kind>{}, std::forward<A>(a), std::forward<B>(b))); })
    return static_cast<R>(compute(Tag<kind>{}, std::forward<A>(a), std::forward<B>(b)));
  else
    stillborn();
}

#define FSM_OPERATOR(kind, op)                                                                        \
  template <class A, class B>                                                                         \
  auto compute(Tag<kind>, A&& a, B&& b) -> decltype(std::forward<A>(a) op std::forward<B>(b)) {       \
    return std::forward<A>(a) op std::forward<B>(b);                                                  \
  }                                                                                                   \
  template <class A, Kind w, int i, Kind n, int j, Kind m>                                            \
  Half<A, Op<w, i, n, j, m>> operator op(A && a, Op<w, i, n, j, m>) {                                 \
    return {std::forward<A>(a)};                                                                      \
  }                                                                                                   \
  template <class A, class O, class B>                                                                \
  auto operator op(Half<A, O> half, B&& b)->decltype(std::forward<A>(half.a) op std::forward<B>(b)) { \
    using R = decltype(std::forward<A>(half.a) op std::forward<B>(b));                                \
    if (on(O::kId0)) return changed<O::kNew0, R>(std::forward<A>(half.a), std::forward<B>(b));        \
    if (on(O::kId1)) return changed<O::kNew1, R>(std::forward<A>(half.a), std::forward<B>(b));        \
    return std::forward<A>(half.a) op std::forward<B>(b);                                             \
  }
FSM_OPERATOR(lt, <)
FSM_OPERATOR(le, <=)
FSM_OPERATOR(gt, >)
FSM_OPERATOR(ge, >=)
FSM_OPERATOR(eq, ==)
FSM_OPERATOR(ne, !=)
FSM_OPERATOR(add, +)
FSM_OPERATOR(sub, -)
FSM_OPERATOR(mul, *)
FSM_OPERATOR(div, /)
FSM_OPERATOR(mod, %)
#undef FSM_OPERATOR

/// `a += b` is `a += Assign<id>{} += b`, which groups from the right.
template <int id>
struct Assign {};
template <class B, int id>
struct Right {
  B&& b;
};
#define FSM_ASSIGNMENT(op, other)                                 \
  template <int id, class B>                                      \
  Right<B, id> operator op(Assign<id>, B && b) {                  \
    return {std::forward<B>(b)};                                  \
  }                                                               \
  template <class A, class B, int id>                             \
  A& operator op(A & a, Right<B, id> right) {                     \
    if (!on(id)) return a op std::forward<B>(right.b), a;         \
    if constexpr (requires { a other std::forward<B>(right.b); }) \
      return a other std::forward<B>(right.b), a;                 \
    else                                                          \
      stillborn();                                                \
  }
FSM_ASSIGNMENT(+=, -=)
FSM_ASSIGNMENT(-=, +=)
FSM_ASSIGNMENT(*=, /=)
FSM_ASSIGNMENT(/=, *=)
#undef FSM_ASSIGNMENT

}  // namespace fsm
