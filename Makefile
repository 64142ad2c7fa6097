# The habits of the project. CMake does the work: see CMakePresets.json for the builds.
#
#   make           build the program as build/tact
#   make run       install what is missing, build, solve a first problem, simulate a first scene
#   make test      install what is missing, build three ways, run the quick form of every test (about 35 minutes on two cores)
#   make test-long build, run the full forms for SECONDS=600 each, from where the last run ended (bench/results/long.csv)
#   make test-gpu  on a machine with a GPU: batches solved there, checked by the processor (needs CMake and nvcc only)
#   make bench     all methods and other people's solvers on the same problems
#   make mutants   plant plausible errors one at a time; name the test that notices each
#   make lint      formatter, clang-tidy, layers, sizes, names, symbols
#   make format    let clang-format write the sources
#   make python    the Python package as a wheel, build/tact-*.whl (python3-dev; no network)
#   make package   Debian packages, build/*.deb
#   make docs      the guide and the headers as one site, build/site
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

test-long: setup-test
	@$(MAKE) build-release
	@tools/test-long --seconds $(or $(SECONDS),600)

# Without tools/setup: such machines are often bare and offline.
test-gpu:
	@cmake -S . -B build-gpu -DCMAKE_BUILD_TYPE=Release -DTACT_GPU=ON -DTACT_PROGRAM=OFF -DTACT_TESTS=OFF -DTACT_PEERS=OFF >/dev/null
	@cmake --build build-gpu --target tact_gpu_table -j $(JOBS)
	@build-gpu/tact_gpu_table --csv build-gpu/gpu.csv

bench: setup-bench
	@$(MAKE) program
	@build/tact bench lcp

lint: setup-lint
	@JOBS=$(JOBS) tools/lint

format: setup-lint
	@tools/format

python: setup-python
	@$(MAKE) program
	@cmake --build --preset release --target tact_python_package -j $(JOBS) >/dev/null
	@/usr/bin/python3 tools/make-wheel build

package: setup-python
	@$(MAKE) program
	@cmake --build --preset release --target tact_python_package -j $(JOBS) >/dev/null
	@cd build && cpack -G DEB -Wno-dev

docs: setup-docs
	@tools/make-docs build/site

mutants: setup-test
	@tools/mutants --jobs $(JOBS) --out bench/results/mutants.csv

install: program
	@cmake --install build --prefix $(PREFIX)

fuzz: setup-test
	@$(MAKE) build-fuzz

clean:
	rm -rf build build-release build-dev build-asan build-tsan build-clang build-clang-asan build-fuzz build-gpu

setup-%:
	@tools/setup $*

.PHONY: all program run test test-long test-gpu bench mutants lint format python package docs install fuzz clean always
