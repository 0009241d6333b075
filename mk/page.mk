# The module of the page of tauler publish.

# It is what answers over HTTP, compiled by clang for WebAssembly with Debian's wasi-libc; zstd's sources come in a
# package of the npm registry. The same sources compile without a warning for the program.
WASM    := $(if $(filter build,$(BUILD)),tauler.wasm,$(BUILD)/tauler.wasm)
WASM_CC := $(if $(findstring ccache,$(CC)),ccache) clang --target=wasm32-wasi -Os
WASM_MODULES := $(addprefix analysis/,print serve records dice)
WASM_SOURCES := $(sort $(LIBRARY) $(foreach module,base $(WASM_MODULES),$(filter $(module)/%,$(PRODUCT_SOURCES))))
WASM_SOURCES := $(filter-out %/folder_lock.c %/signals.c %/command.c,$(WASM_SOURCES)) \
                analysis/stats/tally.c analysis/publish/catalogue.c analysis/publish/place.c $(wildcard analysis/publish/wasm/*.c)
WASM_FLAGS := -std=c11 -D_GNU_SOURCE -DXXH_INLINE_ALL -D_WASI_EMULATED_SIGNAL \
              -D_WASI_EMULATED_PROCESS_CLOCKS -D_WASI_EMULATED_GETPID -iquote . -iquote base \
              -I analysis/publish/wasm/system -isystem build/wasm/system -isystem build/wasm/zstd \
              -ffp-contract=off -w
WASM_LIBS := $(addprefix -lwasi-emulated-,signal getpid process-clocks)
ZSTD_PACKAGE := zstd-napi 0.0.13 ErGF+Ko1PsbooU6oC/sc/diiWKwVa0kd/5AkFSs7kg5kwcEuOtSzOy3xUOadXQlAVNab9TxsxaUk3hOq3cj/lA==

wasm: $(WASM)

# With the program where its tools are. zstd's sources come over the network, once; tauler publish goes on without.
WASM_TOOLS := $(and $(filter build,$(BUILD)),$(shell command -v clang),$(shell command -v wasm-ld),$(wildcard /usr/include/wasm32-wasi))
all: $(if $(WASM_TOOLS),page)
page: $(PROGRAM)
	@$(MAKE) --no-print-directory SETUP=no wasm || echo '  no $(WASM): tauler publish goes on without the page'

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
