# What only the program has: message passing, HTTP, and texts that are embedded in it.

# Only the program knows message passing. Asked for when it is wanted: setup may have to install it.
MPI_WORDS  = $(if $(filter 1,$(MPI)),$(shell $(MPICC) -show 2>/dev/null))
MPI_FLAGS  = $(if $(filter 1,$(MPI)),-DTAULER_MPI) $(patsubst -I%,-isystem %,$(filter -I% -D%,$(MPI_WORDS)))
MPI_LIBS   = $(filter -L% -l% -Wl$(COMMA)%,$(MPI_WORDS))
# Only the program knows HTTP, too.
HTTP_FLAGS = $(if $(filter 1,$(HTTP)),-DTAULER_HTTP)
HTTP_LIBS  = $(if $(filter 1,$(HTTP)),-lmicrohttpd -lz)

# The files of the page are embedded in the program, and the names of claims.
PYTHON_CLAIMS := $(subst _,-,$(subst /,-,$(patsubst analysis/python/tauler/claims/%.md,%,$(sort $(wildcard analysis/python/tauler/claims/*/*.md)))))
EXPLORER  := $(sort $(wildcard $(foreach folder,$(addprefix analysis/,explorer explorer/boards explorer/games explorer/play explorer/static explorer/texts explorer/train),$(addprefix $(folder)/*.,html css js svg)))) analysis/serve/openapi.json $(sort $(wildcard docs/rules/*.md))

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

$(BUILD)/command_texts.c: $(wildcard docs/commands/*.md) $(BUILD)/explorer_members tools/command_texts.sh
	@sh tools/command_texts.sh $(filter %.md,$^) > $@

$(BUILD)/explorer_files.o $(BUILD)/command_texts.o: %.o: %.c $(BUILD)/flags | setup
	$(call say,compile)$(CC) $(ALL_FLAGS) -MMD -MP -c $< -o $@

ifneq ($(PROGRAM),)
$(PROGRAM): $(call objects,$(COMMANDS)) $(BUILD)/explorer_files.o $(BUILD)/command_texts.o $(PRODUCT) $(BUILD)/mpi $(BUILD)/http
	$(call say,link   )$(LINK) $(filter %.o %.a,$^) $(PROGRAM_LIBS) $(MPI_LIBS) $(HTTP_LIBS) -o $@
endif
