# Packages of the system.

# These goals install the packages that are missing; the others say which they are. `make setup` alone: those of make.
INSTALLING := setup demo test test-long check check-% test-cluster mutants report lint sanitize tsan coverage fuzz fuzzers wheel wheels \
              wasm deb proof suites helpers
SETUP      ?= $(if $(filter $(INSTALLING),$(MAKECMDGOALS)),install,check)
SETUP_GROUPS += $(if $(filter test check test-long mutants sanitize tsan coverage suites helpers $(BUILD)/tests/%,$(MAKECMDGOALS)),test)
BROWSED = $(filter-out %/test_explorer_texts.py,$(filter tests/explorer/%,$(RUN_SCRIPTS)))
SETUP_GROUPS += $(if $(and $(filter test check test-long mutants,$(MAKECMDGOALS)),$(BROWSED)),browser)
SETUP_GROUPS += $(if $(filter wheel wheels,$(MAKECMDGOALS)),wheel)
SETUP_GROUPS += $(if $(OTHER_WHEELS),wheel musl arm64)
SETUP_GROUPS += $(if $(filter wasm,$(MAKECMDGOALS))$(filter %/test_static.py %/test_explorer_static.py,$(RUN_SCRIPTS)),wasm)
SETUP_GROUPS += $(if $(filter deb,$(MAKECMDGOALS)),deb wasm proof)
SETUP_GROUPS += $(if $(filter test check test-long helpers,$(MAKECMDGOALS)),$(if $(filter %/test_deb.py,$(RUN_SCRIPTS)),deb wasm proof debian))
SETUP_GROUPS += $(if $(filter proof check check-suites,$(MAKECMDGOALS)),proof)
SETUP_GROUPS += $(if $(filter report,$(MAKECMDGOALS)),plots)
SETUP_GROUPS += $(if $(filter lint check,$(MAKECMDGOALS)),lint)
SETUP_GROUPS += $(if $(filter coverage,$(MAKECMDGOALS)),coverage)
SETUP_GROUPS += $(if $(filter test-cluster,$(MAKECMDGOALS)),cluster)
SETUP_GROUPS += $(if $(filter fuzz tsan check check-%,$(MAKECMDGOALS)),clang)
setup:
	@$(if $(filter no,$(SETUP)),:,sh tools/setup.sh $(SETUP) $(SETUP_GROUPS))
