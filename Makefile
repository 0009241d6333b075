# Tauler. `make help` lists targets and settings; the settings stand right below.
VERSION := 0.1.0
SONAME  := libtauler.so.0

PREFIX  ?= /usr/local
DESTDIR ?=
# Where the Python module goes below PREFIX; without it where the system's Python looks, if it does below PREFIX.
PYTHON_DIR ?=
# Where the libraries go below PREFIX.
LIB_DIR ?= lib
# NATIVE=1: for this processor only. WERROR=1: warnings are errors. SETUP=no: install no packages.
NATIVE  ?=
# MPI=0: builds by one process only. MPICC: which MPI; it is asked for flags, CC compiles.
MPI     ?= 1
MPICC   ?= mpicc
# HTTP=0: builds without libmicrohttpd, and so without tauler serve.
HTTP    ?= 1
WERROR  ?=
SETUP   ?= yes
# VARIANT=asan, tsan, coverage, fuzz or mutant: other flags, in a folder of its own.
VARIANT ?=
BUILD   ?= build$(if $(VARIANT),/$(VARIANT))
OPT     ?= -O3
# FOLDERS="base indexers": a library of these alone. SUITES="test_base": these suites alone.
FOLDERS ?= base parallel indexers games databases recover lines solver analysis
SUITES  ?=
# LINT_ONLY="base tests/base/test_base.c": what to look at. LINT_NODES: see tools/lint_tidy.sh.
LINT_ONLY ?=
FUZZ_SECONDS ?= 60
# The folder where make report builds its tables, and more options of `tauler claims`, such as "--pieces 2 --tokens 1".
REPORT_DB      ?= build/report-tables
REPORT_OPTIONS ?=
JOBS    ?= $(shell nproc)
# V=1: show whole commands.
V       ?=
say      = $(if $(V),,@echo "  $(1) $@";)

ifeq ($(origin CC),default)
CC := gcc
endif
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += --jobs=$(JOBS) --no-builtin-rules
endif
# Every feature adds to these three lists, and nowhere else.
FEATURE_FLAGS :=
FEATURE_LIBS  :=
SETUP_GROUPS  := build
ifeq ($(NATIVE),1)
FEATURE_FLAGS += -march=native
endif
ifeq ($(MPI),1)
SETUP_GROUPS += $(if $(filter mpicc,$(MPICC)),mpi)
endif
ifeq ($(HTTP),1)
SETUP_GROUPS += http
endif
ifneq ($(findstring clang,$(CC)),)
SETUP_GROUPS += clang
endif

FLAGS_asan     := -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
FLAGS_tsan     := -O1 -fsanitize=thread
FLAGS_coverage := -O0 --coverage -fprofile-update=atomic
FLAGS_fuzz     := -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
FLAGS_mutant   := -O1
# Contraction is off because bounds and tables must come out alike on every processor.
BASIC_FLAGS := -std=c11 -D_GNU_SOURCE -iquote . -iquote base -g -fPIC -fvisibility=hidden -fopenmp \
               -ffp-contract=off -Wall -Wextra -Wconversion $(if $(filter 1,$(WERROR)),-Werror)
ALL_FLAGS := $(BASIC_FLAGS) $(OPT) $(FLAGS_$(VARIANT)) $(FEATURE_FLAGS) $(CPPFLAGS) $(CFLAGS)
LIBS      := -lzstd -lxxhash -lgmp $(FEATURE_LIBS) -lm
# Libraries that libtauler does not need.
PROGRAM_LIBS := -lnettle $(LIBS)
LINK       = $(CC) $(ALL_FLAGS) $(LDFLAGS)

# Only the program knows message passing. Asked for when it is wanted: setup may have to install it.
MPI_WORDS  = $(if $(filter 1,$(MPI)),$(shell $(MPICC) -show 2>/dev/null))
MPI_FLAGS  = $(if $(filter 1,$(MPI)),-DTAULER_MPI) $(patsubst -I%,-isystem %,$(filter -I% -D%,$(MPI_WORDS)))
MPI_LIBS   = $(filter -L% -l% -Wl$(COMMA)%,$(MPI_WORDS))
COMMA     := ,
# Only the program knows HTTP, too.
HTTP_FLAGS = $(if $(filter 1,$(HTTP)),-DTAULER_HTTP)
HTTP_LIBS  = $(if $(filter 1,$(HTTP)),-lmicrohttpd -lz)

# tauler.c, the command_*.c and daemon*.c files and comm_mpi.c are linked into the program alone; program and suites
# share every other source. The library has what answers questions. The examples are programs of their own and
# compiled against an installed library.
SOURCES   := $(sort $(foreach folder,$(FOLDERS),$(wildcard $(folder)/*.c $(folder)/*/*.c $(folder)/*/*/*.c)))
SOURCES   := $(filter-out analysis/examples/% analysis/publish/wasm/%,$(SOURCES))
COMMANDS  := $(wildcard tauler.c) $(foreach file,$(SOURCES),$(if $(filter command_% daemon.c daemon_% comm_mpi.c,$(notdir $(file))),$(file)))
PRODUCT_SOURCES := $(filter-out $(COMMANDS),$(SOURCES))
ANSWERS   := $(foreach room,probe slices history search,$(filter analysis/$(room)/%,$(PRODUCT_SOURCES)))
COMMAND_LINE := $(addprefix base/,command/command.c command/help.c command/signals.c command/threads.c folder_lock.c csv.c)
LIBRARY   := $(filter-out analysis/% solver/% parallel/% $(COMMAND_LINE),$(PRODUCT_SOURCES)) $(ANSWERS)
DAEMON    := $(filter analysis/serve/daemon%,$(COMMANDS))
# The prose of claims and the files of the page are embedded in the program.
CLAIM_TEXTS := $(filter-out %/README.md,$(sort $(foreach folder,$(FOLDERS),$(wildcard $(folder)/claims/*/*.md))))
PYTHON_CLAIMS := $(subst _,-,$(subst /,-,$(patsubst analysis/python/tauler/claims/%.md,%,$(sort $(wildcard analysis/python/tauler/claims/*/*.md)))))
EXPLORER  := $(sort $(wildcard $(foreach folder,$(addprefix analysis/,explorer explorer/boards explorer/games explorer/play explorer/static explorer/texts explorer/train),$(addprefix $(folder)/*.,html css js svg)))) analysis/serve/openapi.json $(sort $(wildcard docs/rules/*.md))
# Programs that script suites start; what else stands in tests/support is linked with every suite.
STARTED   := tests/support/mpi_comm.c tests/support/ask_library.c tests/support/failing_calls.c
NAIVE     := $(filter-out $(STARTED),$(wildcard tests/naive/*.c tests/support/*.c tests/support/*/*.c))
SUITE_SOURCES := $(wildcard $(patsubst %,tests/*/%.c,$(or $(SUITES),test_*)))
SCRIPT_SUITES := $(wildcard $(foreach suite,$(or $(SUITES),test_*),$(foreach folder,tests tests/*,$(folder)/$(suite).sh $(folder)/$(suite).py)))
# Suites that make test leaves to make check, unless they are named: the browser, a narrow terminal, packages, hosts,
# the linter, claims about larger boards of the goose. Of the others make check runs those that do more there.
LEFT_SUITES := test_explorer_auale.py test_explorer_boards.py test_explorer_games.py test_explorer_play.py \
               test_explorer_positions.py test_explorer_reading.py test_explorer_static.py test_explorer_train.py \
               test_static.py test_terminal.py test_wheel.py test_deb.py test_cluster.sh test_lint.sh \
               test_claims_goose.py
LEFT := $(if $(SUITES)$(TAULER_CHECK)$(filter test-long helpers mutants check,$(MAKECMDGOALS)),,$(LEFT_SUITES))
RUN_SCRIPTS := $(filter-out $(addprefix %/,$(LEFT)),$(SCRIPT_SUITES))
CHECK_SUITES = $(sort $(basename $(LEFT_SUITES) $(notdir $(shell grep -lE 'suite_is_check|leave_to_check|\bCHECK\b' tests/*/test_*))))
# fuzz_replay.c runs a fuzzer's stored inputs (tests/corpus/fuzz_NAME) as a suite, replay_NAME.
FUZZERS   := $(patsubst %.c,$(BUILD)/%,$(filter-out tests/fuzz/fuzz_replay.c,$(wildcard tests/fuzz/fuzz_*.c)))
REPLAYS   := $(patsubst tests/corpus/fuzz_%,replay_%,$(wildcard tests/corpus/fuzz_*))
REPLAYS   := $(if $(SUITES),$(filter $(SUITES),$(REPLAYS)),$(REPLAYS))
# Programs that script suites start besides tauler.
HELPERS   := $(if $(filter %/test_mpi.py,$(SCRIPT_SUITES)),$(BUILD)/tests/support/mpi_comm) \
             $(if $(filter %/test_asking.py,$(SCRIPT_SUITES)),$(BUILD)/tests/support/ask_library) \
             $(if $(filter %/test_failing_calls.py,$(SCRIPT_SUITES)),$(BUILD)/tests/support/failing_calls.so) \
             $(if $(filter %/test_wheel.py,$(RUN_SCRIPTS)),wheel) \
             $(if $(filter %/test_static.py %/test_explorer_static.py,$(RUN_SCRIPTS)),wasm) $(if $(filter %/test_deb.py,$(RUN_SCRIPTS)),deb)
SUITE_PROGRAMS := $(SUITE_SOURCES:%.c=$(BUILD)/%)
TEST_PROGRAMS := $(SUITE_PROGRAMS) $(REPLAYS:%=$(BUILD)/tests/fuzz/%)

# The module of the page of tauler publish: what answers over HTTP, compiled by clang for WebAssembly with Debian's
# wasi-libc; zstd's sources come in a package of the npm registry.
WASM    := $(if $(filter build,$(BUILD)),tauler.wasm,$(BUILD)/tauler.wasm)
WASM_CC := $(if $(findstring ccache,$(CC)),ccache) clang --target=wasm32-wasi -Os
WASM_ROOMS := $(addprefix analysis/,print serve records dice)
WASM_SOURCES := $(sort $(LIBRARY) $(foreach room,base $(WASM_ROOMS),$(filter $(room)/%,$(PRODUCT_SOURCES))))
WASM_SOURCES := $(filter-out %/folder_lock.c %/signals.c %/command.c,$(WASM_SOURCES)) \
                analysis/stats/tally.c analysis/publish/catalogue.c analysis/publish/place.c $(wildcard analysis/publish/wasm/*.c)
WASM_FLAGS := -std=c11 -D_GNU_SOURCE -DXXH_INLINE_ALL -D_WASI_EMULATED_SIGNAL \
              -D_WASI_EMULATED_PROCESS_CLOCKS -D_WASI_EMULATED_GETPID -iquote . -iquote base \
              -I analysis/publish/wasm/system -isystem build/wasm/system -isystem build/wasm/zstd \
              -ffp-contract=off -Wall -Wno-unknown-pragmas
WASM_LIBS := $(addprefix -lwasi-emulated-,signal getpid process-clocks)
ZSTD_PACKAGE := zstd-napi 0.0.13 ErGF+Ko1PsbooU6oC/sc/diiWKwVa0kd/5AkFSs7kg5kwcEuOtSzOy3xUOadXQlAVNab9TxsxaUk3hOq3cj/lA==

PRODUCT := $(BUILD)/product.a
ARCHIVE := $(BUILD)/libtauler.a
SHARED  := $(BUILD)/libtauler.so.$(VERSION)
WHEEL_LIBRARY := $(BUILD)/wheel/$(SONAME)
DIST    := $(if $(filter build,$(BUILD)),dist,$(BUILD)/dist)
PROGRAM := $(if $(wildcard tauler.c),$(if $(filter build,$(BUILD)),tauler,$(BUILD)/tauler))
objects  = $(patsubst %.c,$(BUILD)/%.o,$(1))

.PHONY: all demo test check test-long test-cluster mutants bench report lint sanitize tsan coverage fuzz wheel wasm deb proof \
        install uninstall clean help setup axe suites helpers fuzzers force
.DELETE_ON_ERROR:
.SECONDARY:

all: $(PROGRAM) $(ARCHIVE) $(SHARED)

# Missing packages are installed first; nothing happens when all are there.
SETUP_GROUPS += $(if $(filter test check test-long mutants sanitize tsan coverage suites helpers $(BUILD)/tests/%,$(MAKECMDGOALS)),test)
BROWSED = $(filter-out %/test_explorer_texts.py,$(filter tests/explorer/%,$(RUN_SCRIPTS)))
SETUP_GROUPS += $(if $(and $(filter test check test-long mutants,$(MAKECMDGOALS)),$(BROWSED)),browser)
SETUP_GROUPS += $(if $(filter wheel,$(MAKECMDGOALS)),wheel)
SETUP_GROUPS += $(if $(filter wasm,$(MAKECMDGOALS))$(filter %/test_static.py %/test_explorer_static.py,$(RUN_SCRIPTS)),wasm)
SETUP_GROUPS += $(if $(filter deb,$(MAKECMDGOALS)),deb)
SETUP_GROUPS += $(if $(filter test check test-long,$(MAKECMDGOALS)),$(if $(filter %/test_deb.py,$(RUN_SCRIPTS)),deb debian))
SETUP_GROUPS += $(if $(filter proof check check-suites,$(MAKECMDGOALS)),proof)
SETUP_GROUPS += $(if $(filter report,$(MAKECMDGOALS)),plots)
SETUP_GROUPS += $(if $(filter lint check,$(MAKECMDGOALS)),lint)
SETUP_GROUPS += $(if $(filter coverage,$(MAKECMDGOALS)),coverage)
SETUP_GROUPS += $(if $(filter test-cluster,$(MAKECMDGOALS)),cluster)
SETUP_GROUPS += $(if $(filter fuzz tsan check check-%,$(MAKECMDGOALS)),clang)
setup:
	@$(if $(filter no,$(SETUP)),:,sh tools/setup.sh $(SETUP_GROUPS))

# The page's tests skip what needs axe-core where the registry cannot be reached.
AXE := build/axe.min.js
AXE_PACKAGE := axe-core 4.10.2 RE3mdQ7P3FRSe7eqCWoeQ/Z9QXrtniSjp1wUjt5nRC3WIpz5rSCve6o3fsZ2aCpJtrZjSZgjwXAoTO5k4tEI0w==
axe: setup
	@$(if $(BROWSED),python3 tools/npm_file.py $(AXE_PACKAGE) axe.min.js $(AXE) || true)

# Files that change only when what they say does: objects follow the flags, archives their members.
$(BUILD)/flags: TEXT = $(CC) $(ALL_FLAGS) | $(LDFLAGS) $(PROGRAM_LIBS)
$(BUILD)/members: TEXT = $(PRODUCT_SOURCES) | $(LIBRARY) | $(CLAIM_TEXTS) $(COMMANDS) $(NAIVE)
$(BUILD)/explorer_members: TEXT = $(EXPLORER)
build/wasm/flags: TEXT = $(WASM_CC) $(WASM_FLAGS) $(VERSION)
build/wasm/flags $(BUILD)/flags $(BUILD)/members $(BUILD)/explorer_members $(BUILD)/version $(BUILD)/python_claims: force
	@mkdir -p $(@D); echo '$(TEXT)' | cmp -s - $@ || echo '$(TEXT)' > $@

$(BUILD)/%.o: %.c $(BUILD)/flags | setup
	@mkdir -p $(@D)
	$(call say,compile)$(CC) $(ALL_FLAGS) -MMD -MP -c $< -o $@

$(BUILD)/version: TEXT = $(VERSION)
$(BUILD)/analysis/probe/version.o $(BUILD)/solver/build/command_ranks.o: $(BUILD)/%.o: %.c $(BUILD)/flags $(BUILD)/version | setup
	@mkdir -p $(@D)
	$(call say,compile)$(CC) $(ALL_FLAGS) -DTAULER_VERSION='"$(VERSION)"' -MMD -MP -c $< -o $@

$(BUILD)/python_claims: TEXT = $(PYTHON_CLAIMS)
$(BUILD)/analysis/claims/command_claims.o: $(BUILD)/%.o: %.c $(BUILD)/flags $(BUILD)/python_claims | setup
	@mkdir -p $(@D)
	$(call say,compile)$(CC) $(ALL_FLAGS) -DTAULER_PYTHON_CLAIMS='"$(PYTHON_CLAIMS:%=% )"' -MMD -MP -c $< -o $@

$(BUILD)/mpi: force | setup
	@mkdir -p $(@D); [ '$(MPI)' != 1 ] || command -v $(firstword $(MPICC)) >/dev/null || \
	  { echo 'make: there is no $(MPICC): install an MPI (libopenmpi-dev), or build without: make MPI=0' >&2; exit 1; }
	@echo '$(MPI_FLAGS) | $(MPI_LIBS)' | cmp -s - $@ || echo '$(MPI_FLAGS) | $(MPI_LIBS)' > $@

$(BUILD)/parallel/comm_mpi.o: parallel/comm_mpi.c $(BUILD)/flags $(BUILD)/mpi | setup
	@mkdir -p $(@D)
	$(call say,compile)$(CC) $(ALL_FLAGS) $(MPI_FLAGS) -MMD -MP -c $< -o $@

$(BUILD)/http: force | setup
	@mkdir -p $(@D); [ '$(HTTP)' != 1 ] || printf '#include <microhttpd.h>\n#include <zlib.h>\n' | $(CC) $(CPPFLAGS) $(CFLAGS) -E -x c - >/dev/null 2>&1 || \
	  { echo 'make: there is no microhttpd.h or zlib.h: install libmicrohttpd-dev and zlib1g-dev, or build without: make HTTP=0' >&2; exit 1; }
	@echo '$(HTTP_FLAGS) | $(HTTP_LIBS)' | cmp -s - $@ || echo '$(HTTP_FLAGS) | $(HTTP_LIBS)' > $@

$(call objects,$(DAEMON)): $(BUILD)/%.o: %.c $(BUILD)/flags $(BUILD)/http | setup
	@mkdir -p $(@D)
	$(call say,compile)$(CC) $(ALL_FLAGS) $(HTTP_FLAGS) -MMD -MP -c $< -o $@

$(BUILD)/explorer_files.c: $(EXPLORER) $(BUILD)/explorer_members tools/embed.sh
	@sh tools/embed.sh $(EXPLORER) > $@

$(BUILD)/claim_texts.c: $(CLAIM_TEXTS) $(BUILD)/members tools/claim_texts.awk
	@awk -f tools/claim_texts.awk $(CLAIM_TEXTS) > $@

$(BUILD)/explorer_files.o $(BUILD)/claim_texts.o: %.o: %.c $(BUILD)/flags | setup
	$(call say,compile)$(CC) $(ALL_FLAGS) -MMD -MP -c $< -o $@

$(ARCHIVE): $(call objects,$(LIBRARY)) $(BUILD)/members
$(PRODUCT): $(call objects,$(PRODUCT_SOURCES)) $(if $(CLAIM_TEXTS),$(BUILD)/claim_texts.o) $(BUILD)/members
$(ARCHIVE) $(PRODUCT):
	@rm -f $@
	$(call say,archive)ar rcs $@ $(filter %.o,$^)

# The library of the wheel finds beside itself what it needs.
$(WHEEL_LIBRARY): private PLACED := -s -Wl,-rpath,'$$ORIGIN'
$(SHARED) $(WHEEL_LIBRARY): $(call objects,$(LIBRARY)) $(BUILD)/members
	@mkdir -p $(@D)
	$(call say,link   )$(LINK) -shared $(PLACED) -Wl,-soname,$(SONAME)$(if $(VARIANT),,$(COMMA)-z$(COMMA)defs) $(filter %.o,$^) $(LIBS) -o $@
	@[ $@ != $(SHARED) ] || { ln -sf $(@F) $(BUILD)/$(SONAME); ln -sf $(SONAME) $(BUILD)/libtauler.so; }

wheel: $(WHEEL_LIBRARY)
	@python3 tools/wheel.py $(VERSION) $< $(DIST) $(if $(findstring -march=,$(ALL_FLAGS)),--native)

deb: setup
	@CC='$(CC)' sh tools/deb.sh $(VERSION) dist $(JOBS)

wasm: $(WASM)

build/wasm/zstd/zstd.h: | setup
	@python3 tools/npm_file.py $(ZSTD_PACKAGE) deps/zstd/lib/ build/wasm/zstd

# This header alone: those beside it are of another system.
build/wasm/system/xxhash.h: | setup
	@mkdir -p $(@D); cp /usr/include/xxhash.h $@

build/wasm/%.o: %.c build/wasm/flags build/wasm/zstd/zstd.h build/wasm/system/xxhash.h | setup
	@mkdir -p $(@D)
	$(call say,compile)$(WASM_CC) $(WASM_FLAGS) -DTAULER_VERSION='"$(VERSION)"' -MMD -MP -c $< -o $@

build/wasm/zstd.o: build/wasm/zstd/zstd.h
	$(call say,compile)for file in $(<D)/common/*.c $(<D)/compress/*.c $(<D)/decompress/*.c; do \
	  $(WASM_CC) -w -DZSTD_LEGACY_SUPPORT=0 -DZSTD_DISABLE_ASM=1 -c $$file -o $${file%.c}.o || exit 1; \
	done; wasm-ld -r $(<D)/*/*.o -o $@

$(WASM): $(WASM_SOURCES:%.c=build/wasm/%.o) build/wasm/zstd.o $(BUILD)/members
	@mkdir -p $(@D)
	$(call say,link   )$(WASM_CC) -mexec-model=reactor $(filter %.o,$^) $(WASM_LIBS) -Wl,--gc-sections -Wl,-s \
	  -Wl,-z,stack-size=1048576 -Wl,--max-memory=1073741824 -o $@

ifneq ($(PROGRAM),)
$(PROGRAM): $(call objects,$(COMMANDS)) $(BUILD)/explorer_files.o $(PRODUCT) $(BUILD)/mpi $(BUILD)/http
	$(call say,link   )$(LINK) $(filter %.o %.a,$^) $(PROGRAM_LIBS) $(MPI_LIBS) $(HTTP_LIBS) -o $@
endif

$(BUILD)/tests/libnaive.a: $(call objects,$(NAIVE)) $(BUILD)/members
	@mkdir -p $(@D); rm -f $@
	$(call say,archive)ar rcs $@ $(filter %.o,$^)

# The code of a suite itself compiles in half the time with -O1, and runs as fast; what it tests has OPT. What a debugger
# reads is half of the work of linking: make OPT=-O0 has it.
QUICKLY = $(if $(VARIANT)$(filter-out file,$(origin OPT)),,$(1))
$(SUITE_PROGRAMS:%=%.o): private ALL_FLAGS += $(call QUICKLY,-O1 -g0)
$(SUITE_PROGRAMS): %: %.o $(BUILD)/tests/libnaive.a $(PRODUCT)
	$(call say,link   )$(LINK) $(call QUICKLY,-Wl$(COMMA)-S) -Wl,--wrap=_mark_point $^ $$(pkg-config --libs check) $(PROGRAM_LIBS) -o $@

# The program that test_mpi.py starts as ranks.
$(BUILD)/tests/support/mpi_comm: $(BUILD)/tests/support/mpi_comm.o $(BUILD)/parallel/comm_mpi.o $(BUILD)/tests/libnaive.a $(PRODUCT)
	$(call say,link   )$(LINK) $^ $(LIBS) $(MPI_LIBS) -o $@

# The program of test_asking.py: it uses the shared library as a foreign program would.
$(BUILD)/tests/support/ask_library: $(BUILD)/tests/support/ask_library.o $(SHARED)
	$(call say,link   )$(LINK) $< -L$(BUILD) -ltauler -Wl,-rpath,'$$ORIGIN/../..' -o $@

# What test_failing_calls.py loads before the program.
$(BUILD)/tests/support/failing_calls.so: $(BUILD)/tests/support/failing_calls.o
	$(call say,link   )$(CC) -shared $< -o $@

$(BUILD)/tests/fuzz/replay_%: $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/tests/fuzz/fuzz_replay.o $(PRODUCT)
	$(call say,link   )$(LINK) $^ $(PROGRAM_LIBS) -o $@

$(BUILD)/tests/fuzz/fuzz_%: $(BUILD)/tests/fuzz/fuzz_%.o $(PRODUCT)
	$(call say,link   )$(LINK) -fsanitize=fuzzer $^ $(PROGRAM_LIBS) -o $@

demo: $(PROGRAM)
	sh tools/demo.sh

suites: $(TEST_PROGRAMS)
helpers: $(HELPERS)

# The longest suites first: those that wait, then scripts.
WAITING := %/test_watchdog %/test_mpi.py %/test_serve.py
RUN_SUITES = $(RUN_SCRIPTS) $(TEST_PROGRAMS)
test test-long: axe $(TEST_PROGRAMS) $(HELPERS) $(PROGRAM) $(if $(VARIANT),,$(ARCHIVE) $(SHARED))
	@TAULER_LONG=$(if $(filter test-long,$@),1) TAULER='$(abspath $(PROGRAM))' TAULER_BUILD='$(abspath $(BUILD))' \
	  LEFT='$(LEFT)' TAULER_AXE='$(abspath $(AXE))' \
	  sh tests/run.sh $(filter $(WAITING),$(RUN_SUITES)) $(filter-out $(WAITING),$(RUN_SUITES))

# The suites that make test leaves out, then the same sources under other compilers, flags and checks. Every step runs.
CHECKS := suites lint sanitize tsan clang bare fuzz
.PHONY: $(CHECKS:%=check-%)
C_SUITES := $(notdir $(basename $(wildcard tests/*/test_*.c)))
check-suites:
	$(MAKE) TAULER_CHECK=1 test SUITES='$(CHECK_SUITES)'
check-lint: ; $(MAKE) lint
# Some kernels and containers run no sanitizer.
sanitizes = echo 'int main(void) { return 0; }' | $(1) -fsanitize=$(2) -x c - -o build/sanitized && build/sanitized
check-sanitize:
	@if $(call sanitizes,$(CC),address); then $(MAKE) sanitize SUITES='$(C_SUITES)'; else \
	  echo 'SKIP: sanitize: no program with the address sanitizer runs here'; fi
check-tsan:
	@if $(call sanitizes,clang,thread); then \
	  $(MAKE) tsan SUITES='test_ask_threads test_table_cache test_http_requests test_exchange test_tiles test_solver'; \
	else echo 'SKIP: tsan: no program with the thread sanitizer runs here'; fi
check-clang: ; $(MAKE) CC=clang WERROR=1 BUILD=build/clang test SUITES='test_solver test_tiles test_verify test_chance_solve'
check-bare: ; $(MAKE) MPI=0 HTTP=0 BUILD=build/bare test SUITES='test_build test_asking test_bench'
check-fuzz: ; $(MAKE) fuzz
check: setup
	@failed=; for step in $(CHECKS); do \
	  echo "check: $$step"; $(MAKE) --no-print-directory check-$$step || failed="$$failed $$step"; \
	done; [ -z "$$failed" ] || { echo "make check: failed:$$failed" >&2; exit 1; }

# One after the other: what they measure are seconds.
test-cluster: $(PROGRAM)
	@status=0; for test in cluster/test_hosts.sh cluster/test_slurm.sh; do \
	  TAULER='$(abspath $(PROGRAM))' sh $$test || status=1; \
	done; exit $$status

mutants: setup
	python3 tests/mutants.py --jobs $(JOBS)

bench: $(PROGRAM)
	$(abspath $(PROGRAM)) bench

report: $(PROGRAM)
	TAULER='$(abspath $(PROGRAM))' sh tools/report.sh '$(abspath $(REPORT_DB))' $(REPORT_OPTIONS)

# The checker that is proven: Coq checks the proofs and writes it, OCaml compiles it.
CHECKER := $(if $(filter build,$(BUILD)),tauler-proof,$(BUILD)/tauler-proof)
proof: $(CHECKER) $(PROGRAM)
$(CHECKER): $(wildcard analysis/proof/*.v analysis/proof/*.ml) analysis/proof/build.sh $(BUILD)/version | setup
	@sh analysis/proof/build.sh $(BUILD)/proof $@ $(VERSION)

lint: setup
	sh tools/lint.sh $(LINT_ONLY)

# One process per suite, so that a leak or an error at exit is seen; undefined behaviour stops it.
sanitize:
	ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1 UBSAN_OPTIONS=print_stacktrace=1 CK_FORK=no \
	  $(MAKE) VARIANT=asan test

# libgomp is unknown to the thread sanitizer; clang's runtime explains itself to it through archer.
tsan:
	TSAN_OPTIONS=ignore_noninstrumented_modules=1:halt_on_error=1 CK_FORK=no \
	  OMP_TOOL_LIBRARIES="$$(ls /usr/lib/llvm-*/lib/libarcher.so 2>/dev/null | tail -n 1)" \
	  $(MAKE) VARIANT=tsan CC=clang test

coverage:
	@find build/coverage -name '*.gcda' -delete 2>/dev/null || true
	$(MAKE) VARIANT=coverage test
	gcovr --root . --exclude tests/ --print-summary --html-details build/coverage/report.html build/coverage

fuzz:
	$(MAKE) VARIANT=fuzz CC=clang fuzzers

fuzzers: $(FUZZERS)
	@for fuzzer in $(FUZZERS); do \
	  name=$$(basename $$fuzzer); corpus=$(BUILD)/corpus/$$name; mkdir -p $$corpus; \
	  seeds=$$(ls -d tests/corpus/$$name 2>/dev/null); echo "$$name: $(FUZZ_SECONDS) s"; \
	  $$fuzzer -max_total_time=$(FUZZ_SECONDS) -verbosity=0 -artifact_prefix=$(BUILD)/ $$corpus $$seeds || exit 1; \
	done

install: all
	PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' VERSION='$(VERSION)' BUILD='$(BUILD)' \
	  LIB_DIR='$(LIB_DIR)' PYTHON_DIR='$(PYTHON_DIR)' sh tools/install.sh install

uninstall:
	PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' VERSION='$(VERSION)' BUILD='$(BUILD)' \
	  LIB_DIR='$(LIB_DIR)' PYTHON_DIR='$(PYTHON_DIR)' sh tools/install.sh uninstall

clean:
	rm -rf build dist tauler tauler-proof tauler.wasm

help:
	@sed -n 's/^## //p' Makefile
## make             the program ./tauler, build/libtauler.a and build/libtauler.so
## make demo        a short tour
## make test        all suites; SUITES="test_base" some of them
## make check       what make test leaves out: slow suites, lint, sanitizers, clang, MPI=0 HTTP=0, fuzzers
## make test-long   all suites with the long sweeps
## make test-cluster   ranks on several hosts and under Slurm, all on this machine
## make mutants     do the suites notice planted errors?
## make bench       positions per second, as JSON
## make report      all claims in full: docs/report.md with pictures
## make lint        format, static checks, the order of the folders
## make sanitize    the suites under address and undefined-behaviour checks; tsan: under thread checks
## make coverage    build/coverage/report.html
## make fuzz        FUZZ_SECONDS=60 for each fuzzer
## make wheel       dist/tauler-*.whl: the Python module with the library inside, for pip install
## make deb         dist/*.deb: program, library, headers, Python module, for apt install
## make proof       tauler-proof, the checker that Coq proves: for tauler proof
## make wasm        tauler.wasm: the answers of tauler serve for the page of tauler publish
## make install     under PREFIX (/usr/local), below DESTDIR; uninstall takes it away
## make clean       removes what was built
## Settings: CC=gcc|clang OPT=-O3 NATIVE=1 MPI=0 MPICC=mpicc HTTP=0 WERROR=1 FOLDERS="base …" SETUP=no JOBS=N
##           REPORT_DB=build/report-tables REPORT_OPTIONS="--pieces 2 …"
##           LIB_DIR=lib64 PYTHON_DIR=lib/python3.11/dist-packages

-include $(patsubst %.c,$(BUILD)/%.d,$(SOURCES) $(wildcard tauler.c tests/*/*.c tests/support/*/*.c)) $(BUILD)/explorer_files.d $(BUILD)/claim_texts.d \
         $(WASM_SOURCES:%.c=build/wasm/%.d)
