// The parts of the module, each in a file of its own.
#pragma once

#include <nanobind/nanobind.h>

namespace fairstep::python {

void bind_text(nanobind::module_& module);      ///< what is said in the library's own way
void bind_grounds(nanobind::module_& module);   ///< what an estimated model rests on
void bind_core(nanobind::module_& module);      ///< Model, Policy, Counts, and their files
void bind_worlds(nanobind::module_& module);    ///< ready-made populations and policies
void bind_evaluate(nanobind::module_& module);  ///< the referee
void bind_simulate(nanobind::module_& module);
void bind_estimate(nanobind::module_& module);     ///< estimates, radii, the paper's bonus and relaxations
void bind_audit(nanobind::module_& module);        ///< how groups were treated, with bands
void bind_diagnose(nanobind::module_& module);     ///< does a log refute the model?
void bind_alternative(nanobind::module_& module);  ///< less discriminatory ones
void bind_solve(nanobind::module_& module);
void bind_learn(nanobind::module_& module);
void bind_certify(nanobind::module_& module);  ///< certificates and their checker
void bind_ingest(nanobind::module_& module);   ///< logs and frames

void bind_experiment(nanobind::module_& module);
void bind_report(nanobind::module_& module);  ///< not there without the report (FAIRSTEP_REPORT)

}  // namespace fairstep::python
