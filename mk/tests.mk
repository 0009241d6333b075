# Suites, what they start, and everything that runs them.

# Programs that script suites start; what else stands in tests/support is linked with every suite.
STARTED   := $(wildcard tests/support/started/*.c)
NAIVE     := $(filter-out $(STARTED),$(wildcard tests/naive/*.c tests/support/*.c tests/support/*/*.c))
SCRIPT_SUITES := $(wildcard $(foreach suite,$(or $(SUITES),test_*),$(foreach folder,tests tests/*,$(folder)/$(suite).sh $(folder)/$(suite).py)))
# Suites that make test leaves to make check, unless they are named, say so in a line of their own. Of the others make
# check runs those that do more there.
LEFT_SUITES := $(notdir $(shell grep -lxE '(\# Tier: make check|/\* Tier: make check \*/)' $(wildcard tests/test_*.* tests/*/test_*.*))) \
               test_claims_all.py test_claims_goose.py
LEFT := $(if $(SUITES)$(TAULER_CHECK)$(filter suites test-long helpers mutants check,$(MAKECMDGOALS)),,$(LEFT_SUITES))
SUITE_SOURCES := $(filter-out $(addprefix %/,$(LEFT)),$(wildcard $(patsubst %,tests/*/%.c,$(or $(SUITES),test_*))))
RUN_SCRIPTS := $(filter-out $(addprefix %/,$(LEFT)),$(SCRIPT_SUITES))
CHECK_SUITES = $(sort $(basename $(LEFT_SUITES) $(notdir $(shell grep -lE 'suite_is_check|leave_to_check|\b(CHECK|SOME)\b' tests/*/test_*))))
# fuzz_replay.c runs a fuzzer's stored inputs (tests/corpus/fuzz_NAME) as a suite, replay_NAME.
FUZZERS   := $(patsubst %.c,$(BUILD)/%,$(filter-out tests/fuzz/fuzz_replay.c,$(wildcard tests/fuzz/fuzz_*.c)))
REPLAYS   := $(patsubst tests/corpus/fuzz_%,replay_%,$(wildcard tests/corpus/fuzz_*))
REPLAYS   := $(if $(SUITES),$(filter $(SUITES),$(REPLAYS)),$(REPLAYS))
# Other wheels take minutes: where they are looked at, and not for all that script suites start.
OTHER_WHEELS := $(if $(TAULER_CHECK)$(SUITES),$(filter %/test_wheels.py,$(RUN_SCRIPTS)))
# Programs that script suites start besides tauler.
HELPERS   := $(if $(filter %/test_mpi.py,$(SCRIPT_SUITES)),$(BUILD)/tests/support/started/mpi_comm) \
             $(if $(filter %/test_asking.py,$(SCRIPT_SUITES)),$(BUILD)/tests/support/started/ask_library) \
             $(if $(filter %/test_failing_calls.py,$(SCRIPT_SUITES)),$(BUILD)/tests/support/started/failing_calls.so) \
             $(if $(filter %/test_wheel.py,$(RUN_SCRIPTS)),wheel) $(if $(OTHER_WHEELS),wheels) \
             $(if $(filter %/test_static.py %/test_explorer_static.py,$(RUN_SCRIPTS)),wasm) $(if $(filter %/test_deb.py,$(RUN_SCRIPTS)),deb)
SUITE_PROGRAMS := $(SUITE_SOURCES:%.c=$(BUILD)/%)
TEST_PROGRAMS := $(SUITE_PROGRAMS) $(REPLAYS:%=$(BUILD)/tests/fuzz/%)

$(BUILD)/tests/libnaive.a: $(call objects,$(NAIVE)) $(BUILD)/members
	@mkdir -p $(@D); rm -f $@
	$(call say,archive)ar rcs $@ $(filter %.o,$^)

# The code of a suite itself compiles in half the time with -O1, and runs as fast; what suites share takes two thirds of
# the time with -O2. What they test has OPT. What a debugger reads is half of the work of linking: make OPT=-O0 has it.
QUICKLY = $(if $(VARIANT)$(filter-out file,$(origin OPT)),,$(1))
$(call objects,$(NAIVE)): private ALL_FLAGS += $(call QUICKLY,-O2 -g0)
$(SUITE_PROGRAMS:%=%.o): private ALL_FLAGS += $(call QUICKLY,-O1 -g0)
$(SUITE_PROGRAMS): %: %.o $(BUILD)/tests/libnaive.a $(PRODUCT)
	$(call say,link   )$(LINK) $(call QUICKLY,-Wl$(COMMA)-S) -Wl,--wrap=_mark_point $^ $$(pkg-config --libs check) $(PROGRAM_LIBS) -o $@

# The program that test_mpi.py starts as ranks.
$(BUILD)/tests/support/started/mpi_comm: $(BUILD)/tests/support/started/mpi_comm.o $(BUILD)/parallel/comm_mpi.o $(BUILD)/tests/libnaive.a $(PRODUCT)
	$(call say,link   )$(LINK) $^ $(LIBS) $(MPI_LIBS) -o $@

# The program of test_asking.py: it uses the shared library as a foreign program would.
$(BUILD)/tests/support/started/ask_library: $(BUILD)/tests/support/started/ask_library.o $(SHARED)
	$(call say,link   )$(LINK) $< -L$(BUILD) -ltauler -Wl,-rpath,'$$ORIGIN/../../..' -o $@

# What test_failing_calls.py loads before the program.
$(BUILD)/tests/support/started/failing_calls.so: $(BUILD)/tests/support/started/failing_calls.o
	$(call say,link   )$(CC) -shared $< -o $@

$(BUILD)/tests/fuzz/replay_%: $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/tests/fuzz/fuzz_replay.o $(PRODUCT)
	$(call say,link   )$(LINK) $^ $(PROGRAM_LIBS) -o $@

$(BUILD)/tests/fuzz/fuzz_%: $(BUILD)/tests/fuzz/fuzz_%.o $(PRODUCT)
	$(call say,link   )$(LINK) -fsanitize=fuzzer $^ $(PROGRAM_LIBS) -o $@

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
CHECKS := suites lint sanitize tsan clang mpich bare arm64 fuzz
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
# Where the packages can be had.
has = sh tools/setup.sh install $(1) || { echo 'SKIP: $(1): its packages cannot be installed here'; exit 0; }
check-mpich:
	@$(call has,mpich); $(MAKE) MPICC=mpicc.mpich BUILD=build/mpich test SUITES='test_ranks'
check-bare: ; $(MAKE) MPI=0 HTTP=0 BUILD=build/bare test SUITES='test_build test_asking test_bench'
# Another processor, simulated: indexers, rules, tables and answers are the same there.
check-arm64:
	@if [ "$$(dpkg --print-architecture 2>/dev/null)" = amd64 ]; then $(call has,arm64); \
	  TAULER_RUNNER=qemu-aarch64 $(MAKE) CC=aarch64-linux-gnu-gcc MPI=0 HTTP=0 BUILD=build/arm64 test \
	    SUITES='test_placement test_strip_pairs test_tuple_sums test_table test_table_damage test_auale_rules \
	            test_doushouqi_batch test_phutball_batch test_oca_rules test_probe'; \
	else echo 'SKIP: arm64: only Debian on amd64 has the packages'; fi
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

# The page's tests skip what needs axe-core where the registry cannot be reached.
AXE := build/axe.min.js
AXE_PACKAGE := axe-core 4.10.2 RE3mdQ7P3FRSe7eqCWoeQ/Z9QXrtniSjp1wUjt5nRC3WIpz5rSCve6o3fsZ2aCpJtrZjSZgjwXAoTO5k4tEI0w==
axe: setup
	@$(if $(BROWSED),python3 tools/npm_file.py $(AXE_PACKAGE) axe.min.js $(AXE) || true)
