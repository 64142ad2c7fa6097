# The habits of the project. CMake does the work: see CMakePresets.json for the builds.
#
#   make           build the program as build/tact
#   make run       install what is missing, build, and solve a first problem
#   make test      install what is missing, build three ways, run all tests
#   make bench     the comparison of all methods and of other solvers
#   make lint      formatter, clang-tidy, layers, sizes, symbols
#   make format    let clang-format write the sources
#   make install   PREFIX=/usr/local, DESTDIR is honoured
#   make fuzz      build the fuzz targets in build-fuzz
#   make clean     remove all builds

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
MAKEFLAGS += --no-print-directory

.PHONY: all run test bench lint format install fuzz clean setup-build setup-test setup-bench setup-lint

all: build-release

# One build per preset: configured once, then kept up to date by CMake itself.
.PHONY: build-%
build-%:
	@test -f $(if $(filter release,$*),build,build-$*)/Makefile || cmake --preset $* $(CMAKE_ARGS)
	@cmake --build --preset $* -j $(JOBS)

run: setup-build
	@$(MAKE) all
	@tools/first-run

test: setup-test
	@tools/run-tests release asan clang

bench: setup-bench
	@$(MAKE) all
	@build/tact bench lcp

lint: setup-lint
	@tools/lint

format: setup-lint
	@tools/format

install: all
	@cmake --install build --prefix $(PREFIX)

fuzz: setup-test
	@$(MAKE) build-fuzz

clean:
	rm -rf build build-*

setup-%:
	@tools/setup $*
