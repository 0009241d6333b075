# What is installed, and what goes out: wheel, Debian packages, the proven checker.

# The library of the wheel finds beside itself what it needs.
$(WHEEL_LIBRARY): private PLACED := -s -Wl,-rpath,'$$ORIGIN'

wheel: $(WHEEL_LIBRARY)
	@CC='$(CC)' python3 tools/wheel.py $(VERSION) $< $(DIST) $(if $(findstring -march=,$(ALL_FLAGS)),--native) $(BESIDE)

# With ALONE=1: headers of what is inside, OpenMP for one thread among them, and zstd itself.
ifeq ($(ALONE),1)
$(call objects,$(LIBRARY)): | $(BUILD)/alone/omp.h build/wasm/zstd/zstd.h build/wasm/system/xxhash.h
$(BUILD)/alone/omp.h: analysis/publish/wasm/system/omp.h | setup
	@mkdir -p $(@D); cp $< $@
$(BUILD)/alone/zstd.o: build/wasm/zstd/zstd.h $(BUILD)/flags
	$(call say,compile)for file in $(<D)/common/*.c $(<D)/compress/*.c $(<D)/decompress/*.c; do \
	  $(CC) -O3 -fPIC -fvisibility=hidden -w -DZSTDLIB_VISIBLE= -DZSTDERRORLIB_VISIBLE= -DZSTD_LEGACY_SUPPORT=0 \
	    -DZSTD_DISABLE_ASM=1 -c $$file -o $(@D)/$$(basename $$file .c).zstd.o || exit 1; \
	done; $(CC) -nostdlib -r $(@D)/*.zstd.o -o $@
$(WHEEL_LIBRARY): $(BUILD)/alone/zstd.o
endif

# The wheels of other systems. A wheel for older systems has one thread.
OTHER_WHEEL = $(MAKE) --no-print-directory MPI=0 HTTP=0 DIST='$(DIST)' BESIDE=--beside BUILD=$(BUILD)/wheel-$(1) wheel
wheels: wheel
	+$(call OTHER_WHEEL,old) ALONE=1
	+$(call OTHER_WHEEL,musl) ALONE=1 CC=musl-gcc
	+$(call OTHER_WHEEL,arm64) CC=aarch64-linux-gnu-gcc
	+$(call OTHER_WHEEL,old-arm64) ALONE=1 CC=aarch64-linux-gnu-gcc

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
