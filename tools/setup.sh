#!/bin/sh
# Installs the missing Debian packages of a task, or names them: setup.sh install|check GROUP...
# If no package is missing, it changes nothing and needs neither root nor a network.
set -eu

packages_of() {
  case $1 in
  build) echo gcc libc6-dev make libzstd-dev libxxhash-dev libgmp-dev nettle-dev zstd scdoc pkg-config ;;
  http) echo libmicrohttpd-dev zlib1g-dev ;;
  mpi) echo libopenmpi-dev openmpi-bin ;;
  mpich) echo libmpich-dev mpich ;;
  arm64)
    echo gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
    for library in libzstd libxxhash libgmp nettle; do echo $library-dev:arm64; done
    echo check:arm64 libgomp1:arm64
    ;;
  musl) echo musl-tools ;;
  wasm) echo clang lld wasi-libc libclang-rt-dev-wasm32 nodejs python3 ;;
  wheel) echo binutils python3 ;;
  deb) echo build-essential debhelper dh-python dpkg-dev libmicrohttpd-dev libopenmpi-dev python3 zlib1g-dev ;;
  debian) echo lintian mmdebstrap ;;
  test) echo check python3 python3-jsonschema python3-venv python3-zstandard python3-numpy python3-matplotlib strace procps ;;
  browser) echo chromium chromium-driver python3-selenium ;;
  proof) echo coq ocaml-nox ;;
  plots) echo python3-matplotlib python3-numpy ;;
  lint) echo clang-format clang-tidy clang libomp-dev cppcheck shellcheck check pkg-config python3 mypy ;;
  coverage) echo gcovr ;;
  clang) echo clang libomp-dev ;;
  cluster) echo iproute2 util-linux procps slurm-client slurmctld slurmd slurm-wlm-basic-plugins ;;
  *)
    echo "setup.sh: unknown group '$1'; there are build, mpi, mpich, arm64, http, wheel, musl, wasm, deb, debian, test, browser, proof, plots, lint, coverage, clang, cluster" >&2
    exit 64
    ;;
  esac
}

# On systems without dpkg and apt-get the user installs the packages.
command -v dpkg-query >/dev/null 2>&1 && command -v apt-get >/dev/null 2>&1 || exit 0

how=$1
shift
wanted=
for group in "$@"; do
  wanted="$wanted $(packages_of "$group")"
done

missing=
for package in $(echo "$wanted" | tr ' ' '\n' | sort -u); do
  # dpkg-query replaces ${...}, not the shell.
  # shellcheck disable=SC2016
  state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  case $state in installed*) ;; *) missing="$missing $package" ;; esac # a state for each architecture
done
[ -n "$missing" ] || exit 0

by_hand="apt-get install$missing"
if [ "$how" = check ]; then
  echo "make: these packages are missing:$missing" >&2
  echo "make: make setup installs them, or: $by_hand" >&2
  exit 69
fi
as_root=
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null 2>&1; then
    echo "setup.sh: these packages are missing:$missing" >&2
    echo "setup.sh: neither root nor sudo is at hand; have an administrator run: $by_hand" >&2
    exit 69
  fi
  # Without a terminal sudo must not ask for a password.
  if [ -t 0 ]; then as_root=sudo; else as_root="sudo -n"; fi
fi

echo "setup.sh: installing$missing" >&2
apt() {
  # shellcheck disable=SC2086
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 "$@" >&2
}
# The packages of Slurm contain daemons. The tests start their own, so those of the system must not run, now or after
# the next boot.
sleepers=
for package in $missing; do
  case $package in slurmctld | slurmd) sleepers="$sleepers $package" ;; esac
done
# shellcheck disable=SC2016
if [ -n "$sleepers" ] && ! dpkg-query -W -f '${db:Status-Status}' munge 2>/dev/null | grep -qx installed; then
  sleepers="$sleepers munge"
fi
policy=/usr/sbin/policy-rc.d
keep_asleep() {
  [ -n "$sleepers" ] && [ ! -e $policy ] || return 0
  # shellcheck disable=SC2086
  trap '$as_root rm -f $policy' EXIT
  trap 'exit 130' INT TERM
  # shellcheck disable=SC2016
  printf '#!/bin/sh\nexit 101\n' | $as_root sh -c 'cat >"$0" && chmod 755 "$0"' $policy
}
disable_sleepers() {
  [ -n "$sleepers" ] && [ -d /run/systemd/system ] || return 0
  # shellcheck disable=SC2086
  $as_root systemctl --quiet disable $sleepers >&2 || true
}

# The system must know another architecture before its libraries can be installed.
case $missing in *:arm64*) $as_root dpkg --add-architecture arm64 ;; esac

# New containers have no lists of packages, and others may have old ones.
# shellcheck disable=SC2086
if apt update && keep_asleep && apt install -y --no-install-recommends $missing; then
  disable_sleepers
  exit 0
fi
echo "setup.sh: could not install$missing" >&2
echo "setup.sh: is there a network, and are the package sources right? By hand: $by_hand" >&2
exit 69
