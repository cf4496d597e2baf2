# The words users type; CMake does the work. `make help` lists them.
BUILD ?= build
PREFIX ?= /usr/local
JOBS ?=
CTEST_JOBS ?= 2
BENCH_ARGS ?=
GROWTH_ARGS ?=
COMPARE_ARGS ?=
TARGETS ?=
DEMO ?= --demo
A ?= HEAD~1
B ?= HEAD
PEERS_ARGS ?=
TORTURE_ARGS ?=
REFEREE_ARGS ?=
GOLDEN_ARGS ?=
PICTURES ?=
INTERRUPT_ARGS ?=
SOAK_ARGS ?=
PROTOCOLS ?=
CLIENTS ?=
KEEP ?=
FUZZ_RUNS ?= 100000
PATCHES ?=
FUZZ_TARGETS ?=

CMAKE := cmake
jobs := $(if $(JOBS),-j $(JOBS))
formatted := $(wildcard src apps tests benchmarks examples)
format_files := find $(formatted) \( -name '*.h' -o -name '*.cpp' -o -name '*.cu' \) -print0

.DEFAULT_GOAL := build
.PHONY: build program dependencies dependencies-dev demo test test-clients validation referee referee-docs scene-docs golden golden-full torture bench bench-growth bench-compare untangle-states triangle-referee panel-meshes garment-table bench-peers pictures interrupt soak patches \
        format format-check sizes tidy asan tsan tbb fuzz coverage reproducible package test-package install clean help

## build         (default) build everything in BUILD=build; the program is build/muslin
build: $(BUILD)/build.ninja
	@$(CMAKE) --build $(BUILD) $(jobs)

# Ninja re-runs CMake by itself when a CMake file changes.
$(BUILD)/build.ninja:
	@$(CMAKE) -S . -B $(BUILD) -G Ninja -DCMAKE_BUILD_TYPE=Release

program: $(BUILD)/build.ninja
	@$(CMAKE) --build $(BUILD) --target muslin $(jobs)

dependencies:
	@scripts/install-dependencies

dependencies-dev:
	@scripts/install-dependencies --dev

## demo          install what is missing, build, simulate and render the default scene
demo: dependencies
	@$(MAKE) --no-print-directory program
	@$(BUILD)/muslin demo

## test          install what is missing, build, run every test
test: dependencies
	@$(MAKE) --no-print-directory build
	@ctest --test-dir $(BUILD) --output-on-failure -j$(CTEST_JOBS)

## test-clients  what Muslin writes, in Blender, three.js, VTK, a browser and others (CLIENTS=glb.mjs ...)
test-clients: dependencies
	@scripts/install-dependencies --clients
	@$(MAKE) --no-print-directory program
	@tests/clients/run $(BUILD)/muslin $(CLIENTS)

## validation    the bending protocols at all resolutions, and the plots of docs/validation.md (PROTOCOLS="drape ...")
validation: dependencies $(BUILD)/build.ninja
	@$(CMAKE) --build $(BUILD) --target validation_sweep test_validation $(jobs)
	@cd $(BUILD)/tests && ./test_validation --gtest_brief=1
	@cd $(BUILD)/tests && ./validation_sweep $(PROTOCOLS); kept=$$?; \
	    $(CURDIR)/scripts/plot-validation validation-results $(CURDIR)/docs/images && exit $$kept

## referee       the default recipe beside theory and refined references, a table (REFEREE_ARGS="--quick friction motion")
referee: dependencies $(BUILD)/build.ninja
	@$(CMAKE) --build $(BUILD) --target referee $(jobs)
	@$(BUILD)/tests/referee --csv $(BUILD)/referee-results $(REFEREE_ARGS)

## referee-docs  the tables and plots of docs/validation.md from what `make referee` has left
referee-docs:
	@scripts/plot-referee $(BUILD)/referee-results

## scene-docs    the tables of keys in docs/scene-format.md and docs/pattern-format.md
scene-docs: $(BUILD)/build.ninja
	@$(CMAKE) --build $(BUILD) --target scene_docs $(jobs)
	@$(BUILD)/tests/scene_docs docs

## golden        hashes of frames of every built-in scene, reduced, against those that are kept (GOLDEN_ARGS=--write keeps new ones)
golden: dependencies
	@$(MAKE) --no-print-directory program
	@tests/golden/check $(GOLDEN_ARGS) $(BUILD)/muslin

## golden-full   the same of every built-in scene as it ships, with the dressing of its garments; half an hour
golden-full: dependencies
	@$(MAKE) --no-print-directory program
	@tests/golden/check --full $(GOLDEN_ARGS) $(BUILD)/muslin

## torture       200 scenes made to be hard, each ends well or says why not; a table (TORTURE_ARGS="--seed 2")
torture: dependencies $(BUILD)/build.ninja
	@$(CMAKE) --build $(BUILD) --target torture_table muslin $(jobs)
	@$(BUILD)/tests/torture_table $(TORTURE_ARGS)

## bench         build and run the benchmarks (BENCH_ARGS=...)
bench: dependencies
	@$(CMAKE) -S . -B $(BUILD) -G Ninja -DCMAKE_BUILD_TYPE=Release -DMUSLIN_BENCHMARKS=ON
	@$(CMAKE) --build $(BUILD) $(jobs)
	@set -e; for program in $(BUILD)/benchmarks/bench_*; do \
	    if [ -f $$program ] && [ -x $$program ]; then $$program $(BENCH_ARGS); fi; done

## bench-growth  times of scenes, drapes of up to a million vertices among them, and how they grow; an hour (GROWTH_ARGS=...)
bench-growth: dependencies
	@$(MAKE) --no-print-directory program
	@benchmarks/scenes $(BUILD)/muslin $(GROWTH_ARGS)

## bench-compare  two commits or programs beside each other: times by task, hashes (A=HEAD~1 B=HEAD COMPARE_ARGS=...)
bench-compare: dependencies
	@benchmarks/compare $(A) $(B) --build $(BUILD) $(COMPARE_ARGS)

## untangle-states  200 crossed states: how many are separated, with and without history (KEEP=DIR keeps failures)
untangle-states: dependencies
	@$(CMAKE) -S . -B $(BUILD) -G Ninja -DCMAKE_BUILD_TYPE=Release -DMUSLIN_BENCHMARKS=ON
	@$(CMAKE) --build $(BUILD) --target bench_untangle $(jobs)
	@$(BUILD)/benchmarks/bench_untangle --states 200 $(if $(KEEP),--keep $(KEEP))

## triangle-referee  a million random, degenerate and nearly degenerate pairs of triangles against exact arithmetic
triangle-referee: dependencies
	@$(CMAKE) -S . -B $(BUILD) -G Ninja -DCMAKE_BUILD_TYPE=Release -DMUSLIN_BENCHMARKS=ON
	@$(CMAKE) --build $(BUILD) --target bench_triangles $(jobs)
	@$(BUILD)/benchmarks/bench_triangles --referee

## panel-meshes  1,000 random panels in triangles, each judged or refused by name; time of 10,000 vertices
panel-meshes: dependencies
	@$(CMAKE) -S . -B $(BUILD) -G Ninja -DCMAKE_BUILD_TYPE=Release -DMUSLIN_BENCHMARKS=ON
	@$(CMAKE) --build $(BUILD) --target bench_panels $(jobs)
	@$(BUILD)/benchmarks/bench_panels

## garment-table  runs the garments over the reference data (in shared/data beside the project) and prints a table
garment-table: dependencies
	@$(MAKE) --no-print-directory program
	@MUSLIN=$(BUILD)/muslin benchmarks/garments $(GARMENTS)

## bench-peers   the same scenes in Blender and in Muslin, in one run; prints the ratios
bench-peers:
	@scripts/install-dependencies --peers
	@$(MAKE) --no-print-directory program
	@benchmarks/peers/run $(BUILD)/muslin $(PEERS_ARGS)

## pictures      thumbnails of the example scenes in docs/images/gallery (PICTURES="drape-sphere ...")
pictures: dependencies
	@$(MAKE) --no-print-directory program
	@MUSLIN=$(BUILD)/muslin scripts/make-pictures $(PICTURES)

## interrupt     runs killed, stopped and starved of room 100 times each, and resumed: the same bits (INTERRUPT_ARGS=...)
interrupt: dependencies
	@$(MAKE) --no-print-directory program
	@tests/endurance/interrupt $(BUILD)/muslin $(INTERRUPT_ARGS)

## soak          ribbon-pile for 20 simulated minutes, an hour: memory and time of a frame may not drift (SOAK_ARGS=...)
soak: dependencies
	@$(MAKE) --no-print-directory program
	@tests/endurance/soak $(BUILD)/muslin $(SOAK_ARGS)

## patches       the example patches of CONTRIBUTING.md: each applies, compiles, passes its tests, runs a scene (PATCHES="key ...")
patches: dependencies $(BUILD)/build.ninja
	@$(CMAKE) --build $(BUILD) --target muslin test_support $(jobs)
	@tests/project/patches/check $(BUILD) $(PATCHES)

## format        clang-format every source file; format-check only looks
format: dependencies-dev
	@$(format_files) | xargs -0 clang-format -i

format-check: dependencies-dev
	@$(format_files) | xargs -0 clang-format --dry-run -Werror

## sizes         the largest classes, functions, files and headers, and what is too large
sizes: $(BUILD)/build.ninja
	@$(CMAKE) --build $(BUILD) --target check_sizes $(jobs)
	@$(BUILD)/tests/project/check_sizes $(CURDIR)

## tidy          clang-tidy over the library and the programs; what has passed and not changed is passed over
tidy: dependencies-dev $(BUILD)/build.ninja
	@scripts/tidy $(BUILD) $(JOBS)

## asan          every test under the address and undefined-behaviour sanitizers
asan: PRESET := asan-ubsan
## tsan          the tests of what runs in parallel under the thread sanitizer
tsan: PRESET := tsan
## tbb           every test with parallel loops over oneTBB
tbb: PRESET := tbb
asan tsan tbb: dependencies
	@$(CMAKE) --preset $(PRESET)
	@$(CMAKE) --build --preset $(PRESET) $(jobs)
	@ctest --preset $(PRESET) -j$(CTEST_JOBS)

## fuzz          every reader under libFuzzer and sanitizers, by clang (FUZZ_RUNS=100000 FUZZ_TARGETS="obj ply ...")
fuzz: dependencies dependencies-dev
	@$(CMAKE) --preset fuzz
	@$(CMAKE) --build --preset fuzz $(jobs)
	@tests/fuzz/run build-fuzz $(FUZZ_RUNS) $(FUZZ_TARGETS)

## coverage      every test, and the part of the lines that they ran, by folder
coverage: dependencies
	@scripts/install-dependencies --coverage
	@$(CMAKE) --preset coverage
	@$(CMAKE) --build --preset coverage $(jobs)
	@find build-coverage -name '*.gcda' -delete
	@ctest --preset coverage -j$(CTEST_JOBS); kept=$$?; scripts/print-coverage build-coverage && exit $$kept

## reproducible  builds the program of the last commit in two places and compares the bytes (TARGETS=...)
reproducible: dependencies
	@scripts/check-reproducible --work $(BUILD)/reproducible $(if $(JOBS),--jobs $(JOBS)) $(TARGETS)

## package       a Debian package, in BUILD/package
package: dependencies
	@scripts/install-dependencies --package
	@$(CMAKE) --build $(BUILD) --target muslin muslin_library $(jobs)
	@cd $(BUILD) && cpack -G DEB

## test-package  unpack that package elsewhere and run what is in it, the default demo too (DEMO= leaves it out)
test-package: dependencies
	@$(MAKE) --no-print-directory package
	@tests/package/run $(BUILD)/package/muslin_*.deb $(DEMO)

## install       install the library and the program under PREFIX=/usr/local
install: $(BUILD)/build.ninja
	@$(CMAKE) --build $(BUILD) --target muslin muslin_library $(jobs)
	@$(CMAKE) --install $(BUILD) --prefix $(PREFIX)

## clean         remove every build directory
clean:
	@rm -rf build build-*/

help:
	@sed -n 's/^## //p' Makefile
