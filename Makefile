# The ways in. `make` alone builds; `make help` lists the rest.
SHELL := /bin/bash
export PYTHONDONTWRITEBYTECODE := 1

.PHONY: build run test fuzz soak coverage mutants docs lint format bench bench-full clean distclean help bootstrap
.DEFAULT_GOAL := build

build: bootstrap  ## the release build: build/bin/fairstep
	@scripts/build release fairstep_command

run: build  ## build, then the paper's experiment and the report on it, in runs/
	@scripts/reproduce

test: bootstrap  ## everything that must hold: all builds, all tests, lint (what CI runs)
	@scripts/bootstrap tests
	@scripts/test

docs: bootstrap  ## the documentation as a site: build/site/index.html
	@scripts/bootstrap docs
	@scripts/build release fairstep_command
	@scripts/docs

fuzz: bootstrap  ## fuzz every parser for ten minutes each (`make test` does a minute)
	@scripts/build asan
	@scripts/fuzz 600

coverage: bootstrap  ## which lines the C++ tests run: build/coverage/index.html
	@scripts/bootstrap coverage
	@build/venv/bin/python scripts/coverage.py

mutants: bootstrap  ## mistakes made on purpose in evaluate, certify and check, which their tests must notice (a sample)
	@build/venv/bin/python scripts/mutants.py

soak: bootstrap  ## an hour of learn, solve and certify in one process, its memory watched (SECONDS=600: ten minutes)
	@scripts/soak $(or $(SECONDS),3600)

lint: bootstrap  ## formatting and clang-tidy, without building more than they need
	@scripts/lint

format: bootstrap  ## rewrite sources in the project's format
	@scripts/lint --fix-format

bench: bootstrap  ## everything beside its peers, briefly: benchmarks/results and docs/performance.md
	@scripts/bootstrap benchmarks
	@scripts/build release fairstep_command benchmarks/all
	@build/venv/bin/python benchmarks/run

bench-full: bootstrap  ## the same with all sizes and the peers' full time limits (hours)
	@scripts/bootstrap benchmarks
	@scripts/build release fairstep_command benchmarks/all
	@build/venv/bin/python benchmarks/run --full

clean:  ## remove what was built; installed tools stay
	@if [ -d build ]; then find build -mindepth 1 -maxdepth 1 ! -name venv ! -name deps -exec rm -rf {} +; fi

distclean:  ## remove build/ and report/node_modules altogether
	@rm -rf build report/node_modules

bootstrap:  ## install what is missing (every other target does this first)
	@scripts/bootstrap

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s%s\n", $$1, $$2}' $(MAKEFILE_LIST)
