-- For Lmod: module use .../modulefiles; module load tauler. The folder of `make install PREFIX=...`
-- stands here, or comes from TAULER_PREFIX.
help([[Tauler computes the exact value of every position of a game, and answers from its tables.
tauler --help; man tauler; pkg-config --cflags --libs tauler]])
whatis("Name: Tauler")
whatis("Version: 0.1.0")
whatis("Description: exhaustive solver of games, retrograde analysis, tables")

local prefix = os.getenv("TAULER_PREFIX") or "/opt/tauler/0.1.0"

-- The MPI that it was built with; its launcher must be found first on the path.
-- depends_on("openmpi")

conflict("tauler")
prepend_path("PATH", pathJoin(prefix, "bin"))
prepend_path("MANPATH", pathJoin(prefix, "share/man"))
append_path("MANPATH", "") -- the empty one stands for the pages of the system
prepend_path("PKG_CONFIG_PATH", pathJoin(prefix, "lib/pkgconfig"))
prepend_path("LD_LIBRARY_PATH", pathJoin(prefix, "lib"))
prepend_path("CPATH", pathJoin(prefix, "include"))
setenv("TAULER_ROOT", prefix)
