# The ways in. `make` alone builds; `make help` lists the rest.
SHELL := /bin/bash
export PYTHONDONTWRITEBYTECODE := 1

.PHONY: build run reproduction readings test verify check fuzz soak coverage mutants docs lint format bench bench-full dist clean distclean help bootstrap
.DEFAULT_GOAL := build

build: bootstrap  ## the release build: build/bin/fairstep
	@scripts/build release fairstep_command

run: build  ## build, then the paper's experiment and the report on it, in runs/
	@scripts/reproduce

reproduction: build  ## the same, and the numbers of docs/reproduction.md from the very run of the report
	@scripts/reproduction

readings: build  ## every reading of the paper in configs/readings, and the tables on docs/reproduction.md
	@build/venv/bin/python scripts/readings.py

test:  ## the release build and every quick test: ten minutes from scratch, seconds when nothing has changed
	@scripts/bootstrap test
	@scripts/test test

verify:  ## everything else that must hold: sanitizers, fuzzing, lint, slow tests (with `make test`, what CI runs)
	@scripts/bootstrap verify
	@scripts/test verify

check:  ## tests of what changed since BASE (main unless told otherwise) and of the rooms downstream of it
	@scripts/bootstrap test
	@scripts/check $(BASE)

docs:  ## the documentation as a site: build/site/index.html
	@scripts/bootstrap docs
	@scripts/build release fairstep_command
	@scripts/docs

fuzz:  ## fuzz every parser for ten minutes each (`make verify` does a minute)
	@scripts/bootstrap lint
	@scripts/build asan
	@scripts/fuzz 600

coverage:  ## which lines the C++ tests run: build/coverage/index.html
	@scripts/bootstrap coverage
	@build/venv/bin/python scripts/coverage.py

mutants:  ## mistakes made on purpose in evaluate, certify and check, which their tests must notice (a sample)
	@scripts/bootstrap lint
	@build/venv/bin/python scripts/mutants.py

soak: bootstrap  ## an hour of learn, solve and certify in one process, its memory watched (SECONDS=600: ten minutes)
	@scripts/soak $(or $(SECONDS),3600)

lint:  ## formatting and clang-tidy, without building more than they need
	@scripts/bootstrap lint
	@scripts/lint

format:  ## rewrite sources in the project's format
	@scripts/bootstrap lint
	@scripts/lint --fix-format

bench:  ## everything beside its peers, briefly: benchmarks/results and docs/performance.md
	@scripts/bootstrap benchmarks
	@scripts/build release fairstep_command benchmarks/all
	@build/venv/bin/python benchmarks/run

bench-full:  ## the same with all sizes and the peers' full time limits (hours)
	@scripts/bootstrap benchmarks
	@scripts/build release fairstep_command benchmarks/all
	@build/venv/bin/python benchmarks/run --full

dist:  ## what a release is made of, in build/dist: wheel, source, bill of materials, checksums
	@scripts/bootstrap test
	@scripts/dist

clean:  ## remove what was built; installed tools stay
	@if [ -d build ]; then find build -mindepth 1 -maxdepth 1 ! -name venv ! -name deps -exec rm -rf {} +; fi

distclean:  ## remove build/ and report/node_modules altogether
	@rm -rf build report/node_modules

bootstrap:  ## install what is missing (every other target does this first)
	@scripts/bootstrap

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s%s\n", $$1, $$2}' $(MAKEFILE_LIST)
