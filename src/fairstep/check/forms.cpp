#include <fairstep/check/form.hpp>

namespace fairstep::rigorous {
namespace {

// tools/certificate_form.py has the same table, and a test compares them.
constexpr std::string_view kForms = R"({
  "certificate": {
    "schema": "text",
    "statement": "text",
    "assumptions": "text *",
    "diagnosis": [{"test": "text", "p_value": "number?", "effect": "number?", "sentence": "text"}],
    "delta": "number",
    "delta_split": {
      "rows": "number",
      "row": "number",
      "ball": "number",
      "interval": "number",
      "?followed": "number",
      "?tail": "number",
      "?rewards": "number",
      "?reward": "number",
      "?labels": "number",
      "?label": "number",
      "?directions": "number",
      "?question": "number",
      "?path": "number"
    },
    "followed": "flag",
    "?labels": "text",
    "?refused": "text",
    "?odds": "number",
    "?reward_range": "reward 2",
    "?discount": "probability",
    "groups": "text g",
    "certified_gap": {"?dp": "number h", "?eqopt": "number h", "?eqodds": "number h"},
    "estimated_gap": {"?dp": "number? h", "?eqopt": "number? h", "?eqodds": "number? h"},
    "?reference": "text",
    "?certified_ratio": {"?dp-ratio": "number? h", "?eqopt-ratio": "number? h"},
    "?estimated_ratio": {"?dp-ratio": "number? h", "?eqopt-ratio": "number? h"},
    "?certified_aggregate_gap": {"dp": "number"},
    "?estimated_aggregate_gap": {"dp": "number"},
    "certified_value": "number?",
    "estimated_value": "number?",
    "?bound_by": {"?dp": "text h", "?eqopt": "text h", "?eqodds": "text h", "value": "text?"},
    "pairs": [{"groups": "text 2", "?dp": "number h", "?eqopt": "number h", "?eqodds": "number h"}],
    "rates": {
      "?accept": {"low": "number g h", "high": "number g h", "estimate": "number? g h"},
      "?tpr": {"low": "number g h", "high": "number g h", "estimate": "number? g h"},
      "?fpr": {"low": "number g h", "high": "number g h", "estimate": "number? g h"},
      "?qualified": {"low": "number g h", "high": "number g h", "estimate": "number? g h"}
    },
    "?label_shares": {"low": "probability g x", "high": "probability g x"},
    "?if_refused": [
      {
        "refused": "text",
        "?odds": "number",
        "certified_gap": {"?eqopt": "number h", "?eqodds": "number h"},
        "rates": {"tpr": {"low": "number g h", "high": "number g h"}, "?fpr": {"low": "number g h", "high": "number g h"}}
      }
    ],
    "?break_even": {"limit": "probability", "refused": "text?", "?odds": "number"},
    "?if_nothing_lost": {
      "certified_gap": {"?dp": "number h", "?eqopt": "number h", "?eqodds": "number h"},
      "certified_value": "number?",
      "rates": {
        "?accept": {"low": "number g h", "high": "number g h"},
        "?tpr": {"low": "number g h", "high": "number g h"},
        "?fpr": {"low": "number g h", "high": "number g h"}
      }
    },
    "inputs": {
      "counts": {"file": "text", "sha256": "text", "text": "text"},
      "?design": {"file": "text", "sha256": "text", "text": "text"},
      "policy": {"file": "text", "sha256": "text", "text": "text"},
      "?model": {"file": "text", "sha256": "text", "text": "text"}
    }
  },
  "counts": {
    "schema": "text",
    "horizon": "count",
    "groups": "name *",
    "features": "name *",
    "?labels": "name 2",
    "?actions": "name 2",
    "?periods": [{"name": "name", "first_step": "count"}],
    "?part": {"role": "text", "share": "probability", "seed": "seed", "logs": "text *"},
    "first": "count g x 2",
    "visits": "count g h x 2 2",
    "transitions": "count g x 2 2 x 2",
    "reward_sum": "number g x 2 2",
    "reward_squares": "square g x 2 2",
    "?log": {
      "files": "text *",
      "columns": {"*": "text"},
      "?bins": "number *",
      "?shape": {
        "?query": "text",
        "?wide": [{"from": "text *", "column": "text"}],
        "?recodes": [{"column": "text", "values": {"*": "text"}, "?other": "text"}],
        "?bins": [{"column": "text", "edges": "number *"}],
        "?step": {"column": "text", "every": "text"},
        "?missing": "text *"
      },
      "first_step": "whole",
      "rows": "count",
      "findings": [{"kind": "text", "?column": "text", "rows": "count", "file": "text", "row": "count"}],
      "censored": "text",
      "?imputed": "count",
      "?unlabelled": "count g h x 2",
      "?unlabelled_rows": {
        "first": "count g x",
        "transitions": "count g x 2 x",
        "?lost": {
          "first": "count g",
          "first_in_doubt": "count g",
          "decisions": "count g h",
          "cells": "count g x 2",
          "transitions": "count g x 2"
        }
      },
      "?lost": {
        "first": "count g",
        "first_in_doubt": "count g",
        "decisions": "count g h",
        "cells": "count g x 2 2",
        "transitions": "count g x 2 2"
      },
      "?excluded": [{"group": "text", "rows": "count"}],
      "?unrecorded_people": "count",
      "?window": "text",
      "?windows": [{"from": "text", "decisions": "count g 2 2", "unlabelled": "count g 2"}]
    },
    "?history": {
      "?departures": "count g h x 2 2",
      "?arrivals": "count g h x 2",
      "?pairs": "count g x 2 2 x 2 2",
      "?after_pairs": "count g x 2 2 x 2",
      "?unseen": "count g 5 x 2 2",
      "?windows": [{"from": "text", "departures": "count g x 2 2", "arrivals": "count g x 2"}]
    }
  },
  "policy": {"schema": "text", "?groups": "name g", "?group_independent": "flag", "accept": "probability g h x"},
  "policy for all": {"schema": "text", "group_independent": "flag", "accept": "probability h x"},
  "model": {
    "schema": "text",
    "?description": "text",
    "horizon": "count",
    "groups": "name g",
    "features": "name x",
    "?labels": "name 2",
    "?actions": "name 2",
    "?periods": [{"name": "name", "first_step": "count"}],
    "share": "probability g",
    "initial": "probability g x 2",
    "transition": "probability g x 2 2 x 2",
    "reward": "reward g x 2 2",
    "?reward_noise": "reward g x 2 2",
    "?discount": "probability",
    "?participation": {"leave": "probability g x 2 2", "first_step": "probability g h"},
    "?rests_on": "anything"
  }
})";

}  // namespace

const Json& form_of(std::string_view document) {
  static const Json forms = internal::parse_json(kForms).value();
  return forms.at(std::string(document));
}

const Json& form_by_period(std::string_view document) {
  static const Json forms = [] {
    Json changed = Json::object();
    for (const char* name : {"counts", "model"}) changed[name] = form_of(name);
    changed["counts"]["transitions"] = "count g k x 2 2 x 2";
    changed["model"]["transition"] = "probability g k x 2 2 x 2";
    return changed;
  }();
  return forms.at(std::string(document));
}

}  // namespace fairstep::rigorous
