# What is installed, and what goes out: wheel, Debian packages, the proven checker.

# The library of the wheel finds beside itself what it needs.
$(WHEEL_LIBRARY): private PLACED := -s -Wl,-rpath,'$$ORIGIN'

wheel: $(WHEEL_LIBRARY)
	@python3 tools/wheel.py $(VERSION) $< $(DIST) $(if $(findstring -march=,$(ALL_FLAGS)),--native)

deb: setup
	@CC='$(CC)' sh tools/deb.sh $(VERSION) dist $(JOBS)

install: all
	PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' VERSION='$(VERSION)' BUILD='$(BUILD)' \
	  LIB_DIR='$(LIB_DIR)' PYTHON_DIR='$(PYTHON_DIR)' sh tools/install.sh install

uninstall:
	PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' VERSION='$(VERSION)' BUILD='$(BUILD)' \
	  LIB_DIR='$(LIB_DIR)' PYTHON_DIR='$(PYTHON_DIR)' sh tools/install.sh uninstall

# The checker that is proven: Coq checks the proofs and writes it, OCaml compiles it.
CHECKER := $(if $(filter build,$(BUILD)),tauler-proof,$(BUILD)/tauler-proof)
proof: $(CHECKER) $(PROGRAM)
$(CHECKER): $(wildcard analysis/proof/*.v analysis/proof/*.ml) analysis/proof/build.sh $(BUILD)/version | setup
	@sh analysis/proof/build.sh $(BUILD)/proof $@ $(VERSION)
