# The habits of the project. CMake does the work: see CMakePresets.json for the builds.
#
#   make           build the program as build/tact
#   make run       install what is missing, build, solve a first problem, simulate a first scene
#   make test      install what is missing, build three ways, run all tests
#   make bench     all methods and other people's solvers on the same problems
#   make mutants   plant plausible errors one at a time; name the test that notices each (an hour)
#   make lint      formatter, clang-tidy, layers, sizes, names, symbols
#   make format    let clang-format write the sources
#   make install   to PREFIX (/usr/local); DESTDIR is honoured
#   make fuzz      build the fuzz targets in build-fuzz
#   make clean     remove all builds
#
# make build-PRESET builds one preset: release, dev, asan, tsan, clang, clang-asan, fuzz.

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
MAKEFLAGS += --no-print-directory

all: program

program:
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target program -j $(JOBS)

# Configured anew each time: what tools/setup has installed since is then found.
build-%: always
	@cmake --preset $* >/dev/null
	@cmake --build --preset $* -j $(JOBS)

run: setup-build
	@$(MAKE) program
	@build/tact solve examples/slope.json
	@build/tact run scenes/pinch.xml --time 10

test: setup-test
	@JOBS=$(JOBS) tools/run-tests release asan clang

bench: setup-bench
	@$(MAKE) program
	@build/tact bench lcp

lint: setup-lint
	@JOBS=$(JOBS) tools/lint

format: setup-lint
	@tools/format

mutants: setup-test
	@tools/mutants --jobs $(JOBS) --out bench/results/mutants.csv

install: program
	@cmake --install build --prefix $(PREFIX)

fuzz: setup-test
	@$(MAKE) build-fuzz

clean:
	rm -rf build build-release build-dev build-asan build-tsan build-clang build-clang-asan build-fuzz

setup-%:
	@tools/setup $*

.PHONY: all program run test bench mutants lint format install fuzz clean always
