# Tauler. `make help` lists targets and settings; the settings stand right below.
VERSION := 0.1.0
SONAME  := libtauler.so.0

PREFIX  ?= /usr/local
DESTDIR ?=
# Where the Python module goes below PREFIX; without it where the system's Python looks, if it does below PREFIX.
PYTHON_DIR ?=
# Where the libraries go below PREFIX.
LIB_DIR ?= lib
# NATIVE=1: for this processor only. WERROR=1: warnings are errors. SETUP=no: look for no packages.
NATIVE  ?=
# MPI=0: builds by one process only. MPICC: which MPI; it is asked for flags, CC compiles.
MPI     ?= 1
MPICC   ?= mpicc
# HTTP=0: builds without libmicrohttpd, and so without tauler serve.
HTTP    ?= 1
# ALONE=1: a libtauler, for make wheel, that needs the C library alone: one thread, zstd from its sources.
ALONE   ?=
WERROR  ?=
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
SETUP_GROUPS += $(if $(filter mpicc,$(MPICC)),mpi) $(if $(filter mpicc.mpich,$(MPICC)),mpich)
endif
ifeq ($(HTTP),1)
SETUP_GROUPS += http
endif
# Before glibc 2.34 libpthread is a library of its own.
OLD_LIBS := $(if $(findstring musl,$(CC)),,-Wl,--push-state,--no-as-needed -l:libpthread.so.0 -Wl,--pop-state)
ifeq ($(ALONE),1)
FEATURE_FLAGS += -DXXH_INLINE_ALL -isystem $(BUILD)/alone -isystem build/wasm/zstd -isystem build/wasm/system \
                 $(if $(findstring musl,$(CC)),,-include tools/old_glibc.h)
endif
SETUP_GROUPS += $(if $(findstring clang,$(CC)),clang) $(if $(findstring aarch64,$(CC)),arm64) $(if $(findstring musl,$(CC)),musl)

FLAGS_asan     := -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
FLAGS_tsan     := -O1 -fsanitize=thread
FLAGS_coverage := -O0 --coverage -fprofile-update=atomic
FLAGS_fuzz     := -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
FLAGS_mutant   := -O1
# Contraction is off because bounds and tables must come out alike on every processor. Functions of a table all have
# the parameters of their member, whether or not they need them.
BASIC_FLAGS := -std=c11 -D_GNU_SOURCE -iquote . -iquote base -g -fPIC -fvisibility=hidden \
               $(if $(filter 1,$(ALONE)),-w,-fopenmp) \
               -ffp-contract=off -Wall -Wextra -Wno-unused-parameter -Wconversion $(if $(filter 1,$(WERROR)),-Werror)
ALL_FLAGS := $(BASIC_FLAGS) $(OPT) $(FLAGS_$(VARIANT)) $(FEATURE_FLAGS) $(CPPFLAGS) $(CFLAGS)
LIBS      := $(if $(filter 1,$(ALONE)),$(OLD_LIBS),-lzstd -lxxhash -lgmp) $(FEATURE_LIBS) -lm
# Libraries that libtauler does not need.
PROGRAM_LIBS := -lnettle $(LIBS)
LINK       = $(CC) $(ALL_FLAGS) $(LDFLAGS)
COMMA     := ,

# tauler.c, the command_*.c and daemon*.c files and comm_mpi.c are linked into the program alone; program and suites
# share every other source. The library has what answers questions. The examples are programs of their own and
# compiled against an installed library.
SOURCES   := $(sort $(foreach folder,$(FOLDERS),$(wildcard $(folder)/*.c $(folder)/*/*.c $(folder)/*/*/*.c)))
SOURCES   := $(filter-out analysis/examples/% analysis/publish/wasm/%,$(SOURCES))
COMMANDS  := $(wildcard tauler.c) $(foreach file,$(SOURCES),$(if $(filter command_% daemon.c daemon_% comm_mpi.c,$(notdir $(file))),$(file)))
PRODUCT_SOURCES := $(filter-out $(COMMANDS),$(SOURCES))
ANSWERS   := $(foreach module,probe slices history search,$(filter analysis/$(module)/%,$(PRODUCT_SOURCES)))
COMMAND_LINE := $(addprefix base/,command/command.c command/help.c command/signals.c command/threads.c folder_lock.c csv.c)
LIBRARY   := $(filter-out analysis/% solver/% parallel/% $(COMMAND_LINE),$(PRODUCT_SOURCES)) $(ANSWERS)
DAEMON    := $(filter analysis/serve/daemon%,$(COMMANDS))
PRODUCT := $(BUILD)/product.a
ARCHIVE := $(BUILD)/libtauler.a
SHARED  := $(BUILD)/libtauler.so.$(VERSION)
WHEEL_LIBRARY := $(BUILD)/wheel/$(SONAME)
DIST    := $(if $(filter build,$(BUILD)),dist,$(BUILD)/dist)
PROGRAM := $(if $(wildcard tauler.c),$(if $(filter build,$(BUILD)),tauler,$(BUILD)/tauler))
objects  = $(patsubst %.c,$(BUILD)/%.o,$(1))

.PHONY: all demo test check test-long test-cluster mutants bench report lint sanitize tsan coverage fuzz wheel wheels wasm page deb proof \
        install uninstall clean help setup axe suites helpers fuzzers force
.DELETE_ON_ERROR:
.SECONDARY:

all: $(PROGRAM) $(ARCHIVE) $(SHARED)

include mk/program.mk mk/page.mk mk/tests.mk mk/setup.mk mk/packages.mk

# Files that change only when what they say does: objects follow the flags, archives their members.
$(BUILD)/flags: TEXT = $(CC) $(ALL_FLAGS) | $(LDFLAGS) $(PROGRAM_LIBS)
$(BUILD)/members: TEXT = $(PRODUCT_SOURCES) | $(LIBRARY) | $(COMMANDS) $(NAIVE)
$(BUILD)/explorer_members: TEXT = $(EXPLORER) $(wildcard docs/commands/*.md)
build/wasm/flags: TEXT = $(WASM_CC) $(WASM_FLAGS) $(VERSION)
build/wasm/flags $(BUILD)/flags $(BUILD)/members $(BUILD)/explorer_members $(BUILD)/version $(BUILD)/python_claims: force
	@mkdir -p $(@D); echo '$(TEXT)' | cmp -s - $@ || echo '$(TEXT)' > $@

$(BUILD)/%.o: %.c $(BUILD)/flags | setup
	@mkdir -p $(@D)
	$(call say,compile)$(CC) $(ALL_FLAGS) -MMD -MP -c $< -o $@

$(BUILD)/version: TEXT = $(VERSION)
$(BUILD)/analysis/probe/version.o $(BUILD)/solver/run/command_ranks.o: $(BUILD)/%.o: %.c $(BUILD)/flags $(BUILD)/version | setup
	@mkdir -p $(@D)
	$(call say,compile)$(CC) $(ALL_FLAGS) -DTAULER_VERSION='"$(VERSION)"' -MMD -MP -c $< -o $@

$(ARCHIVE): $(call objects,$(LIBRARY)) $(BUILD)/members
$(PRODUCT): $(call objects,$(PRODUCT_SOURCES)) $(BUILD)/members
$(ARCHIVE) $(PRODUCT):
	@rm -f $@
	$(call say,archive)ar rcs $@ $(filter %.o,$^)

$(SHARED) $(WHEEL_LIBRARY): $(call objects,$(LIBRARY)) $(BUILD)/members
	@mkdir -p $(@D)
	$(call say,link   )$(LINK) -shared $(PLACED) -Wl,-soname,$(SONAME)$(if $(VARIANT),,$(COMMA)-z$(COMMA)defs) $(filter %.o,$^) $(LIBS) -o $@
	@[ $@ != $(SHARED) ] || { ln -sf $(@F) $(BUILD)/$(SONAME); ln -sf $(SONAME) $(BUILD)/libtauler.so; }

demo: $(PROGRAM)
	sh tools/demo.sh

bench: $(PROGRAM)
	$(abspath $(PROGRAM)) bench

report: $(PROGRAM)
	TAULER='$(abspath $(PROGRAM))' sh tools/report.sh '$(abspath $(REPORT_DB))' $(REPORT_OPTIONS)

clean:
	rm -rf build dist tauler tauler-proof tauler.wasm

help:
	@sed -n 's/^## //p' Makefile
## make             the program ./tauler, build/libtauler.a and build/libtauler.so
## make demo        a short tour
## make setup       installs the packages that make needs, where they are missing; targets below install their own
## make test        all suites; SUITES="test_base" some of them
## make check       what make test leaves out: slow suites, lint, sanitizers, clang, MPICH,
##                  MPI=0 HTTP=0, arm64, fuzzers
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
## make wheels      others beside it: aarch64, older glibc, musl
## make deb         dist/*.deb: program, library, headers, Python module, for apt install
## make proof       tauler-proof, the checker that Coq proves: for tauler proof
## make wasm        tauler.wasm: the answers of tauler serve for the page of tauler publish
## make install     under PREFIX (/usr/local), below DESTDIR; uninstall takes it away
## make clean       removes what was built
## Settings: CC=gcc|clang OPT=-O3 NATIVE=1 ALONE=1 MPI=0 MPICC=mpicc HTTP=0 WERROR=1 FOLDERS="base …" SETUP=no JOBS=N
##           REPORT_DB=build/report-tables REPORT_OPTIONS="--pieces 2 …"
##           LIB_DIR=lib64 PYTHON_DIR=lib/python3.11/dist-packages

-include $(patsubst %.c,$(BUILD)/%.d,$(SOURCES) $(wildcard tauler.c tests/*/*.c tests/support/*/*.c)) $(BUILD)/explorer_files.d $(BUILD)/command_texts.d \
         $(WASM_SOURCES:%.c=build/wasm/%.d)
