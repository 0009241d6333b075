# For a Spack repository of one's own: packages/tauler/package.py in it, then spack install tauler.
from spack.package import *


class Tauler(MakefilePackage):
    """Exhaustive solver of games: the exact value of every position by retrograde analysis, in
    compressed tables, on one machine or by ranks of MPI."""

    # The sources are a git repository; there is no archive to name by a digest yet:
    # spack develop --path /path/to/tauler tauler@main, or `git` set to the repository.
    git = "file:///path/to/tauler"

    license("MIT", checked_by="tauler")

    version("main", branch="main")

    variant("mpi", default=True, description="Build by several ranks")
    variant("native", default=False, description="For the processor of the building machine only")

    depends_on("c", type="build")
    depends_on("gmake", type="build")
    depends_on("pkgconfig", type=("build", "test"))
    depends_on("scdoc", type="build")
    depends_on("zstd@1.5:")
    depends_on("xxhash@0.8:")
    depends_on("gmp@6:")
    depends_on("nettle@3:")
    depends_on("mpi@3:", when="+mpi")
    depends_on("check", type="test")
    depends_on("python@3.9:", type="test")
    depends_on("py-zstandard", type="test")

    conflicts("%apple-clang", msg="the threads are OpenMP's, and the system calls those of Linux")
    requires("platform=linux")

    def settings(self):
        settings = ["SETUP=no", "CC=" + spack_cc, "V=1"]
        settings.append("MPI=1" if self.spec.satisfies("+mpi") else "MPI=0")
        if self.spec.satisfies("+mpi"):
            settings.append("MPICC=" + self.spec["mpi"].mpicc)
        if self.spec.satisfies("+native"):
            settings.append("NATIVE=1")
        return settings

    def build(self, spec, prefix):
        make(*self.settings())

    def check(self):
        make("test", *self.settings())

    def install(self, spec, prefix):
        make("install", "PREFIX=" + prefix, *self.settings())
