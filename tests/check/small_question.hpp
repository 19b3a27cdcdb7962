// A question of two groups, one feature and two steps, small enough to be worked out by hand.
#pragma once

#include <fairstep/check/question.hpp>

namespace fairstep::rigorous::testing {

/// States are the two labels; cells are (y,a). In group 0 a hundred people start, 40 of them qualified; in group 1
/// fifty, 10 of them. Accepted are half of group 0 at step 0 and a quarter at step 1; all of group 1 at step 0 and
/// nobody at step 1. Nobody was seen refused and qualified in group 1.
inline Question small_question() {
  Question q;
  q.groups = 2, q.horizon = 2, q.features = 1, q.states = 2, q.cells = 4;
  q.names = {"a", "b"};
  q.delta = 0.05;
  q.dp = q.eqopt = q.eqodds = true;
  q.accept = {0.5L, 0.25L, 1, 0};  // [g,h,x]
  q.first = {60, 40, 40, 10};      // [g,y]
  // [g,h,cell]: refused and accepted of the unqualified, then of the qualified
  q.visits = {30, 30, 20, 20, 36, 12, 39, 13, 0, 40, 0, 10, 20, 0, 30, 0};
  // [g,cell,y1]
  q.transitions = {18, 12, 15, 15, 10, 10, 5, 15, 5, 5, 16, 24, 0, 0, 4, 6};
  q.reward_sum.assign(8, 0);
  return without_losses(q);
}

/// The same with a design part of half of the people. Of group 0 it saw 4 of 8 qualified at first; of four refused and
/// unqualified 1 became qualified, of four accepted and unqualified 2, of two refused and qualified 1, of four accepted
/// and qualified 3. Of group 1 nobody was refused.
inline Question small_question_of_two_parts() {
  Question q = small_question();
  Question::Design design;
  design.first = {4, 4, 6, 2};
  design.visits = {2, 2, 2, 2, 2, 2, 1, 2, 0, 6, 0, 2, 3, 0, 5, 0};
  design.transitions = {3, 1, 2, 2, 1, 1, 1, 3, 0, 0, 2, 4, 0, 0, 1, 1};
  design.reward_sum.assign(8, 0);
  design.share = 0.5L;
  q.design = design;
  return q;
}

}  // namespace fairstep::rigorous::testing
