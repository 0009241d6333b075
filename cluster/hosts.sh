#!/bin/sh
# Several hosts on one machine, for tests: network namespaces with a host name each, joined by a bridge
# whose cables can be pulled. Needs root, or user namespaces for `isolate`.
#
#   hosts.sh isolate N COMMAND... starts N hosts in namespaces of their own, runs a command, and ends them
#   hosts.sh start N [SLOTS]      makes N hosts and prints their folder, to be put into TAULER_HOSTS
#   hosts.sh run COMMAND...       on the first host, with Open MPI set up to use them all
#   hosts.sh on HOST COMMAND...   on one of them: h1, h2 ...
#   hosts.sh link HOST up|down    pulls a host's cable or puts it back
#   hosts.sh shape HOST [HOW]     what the host receives: "delay 5ms loss 1%" (sch_netem), or "rate 1gbit" alone
#                                 (sch_tbf); nothing: takes it away
#   hosts.sh stop                 ends every process on the hosts and removes them
#
# All hosts see the same files. Exit codes: those of the command; 64 usage; 77 the rights or the tools
# are missing.
set -u

say() { echo "hosts.sh: $*" >&2; }
cannot() {
  say "$*"
  exit 77
}
usage() {
  sed -n '2,/^set -u/s/^#  *//p' "$0" >&2
  exit 64
}

need_tools() {
  PATH=$PATH:/usr/sbin:/sbin
  for tool in ip unshare setpriv nsenter mount hostname; do
    command -v "$tool" >/dev/null || cannot "$tool is missing; tools/setup.sh install cluster installs it"
  done
}

# The hosts of this folder; their name opens with the process that made them.
need_hosts() {
  folder=${TAULER_HOSTS:-}
  [ -f "$folder/name" ] || cannot "TAULER_HOSTS does not name a folder of hosts"
  name=$(cat "$folder/name")
}
need_host() {
  grep -q " $1\$" "$folder/etc-hosts" || {
    say "there is no host $1, but$(sed -n 's/^10[^ ]*//p' "$folder/etc-hosts" | tr -d '\n')"
    exit 64
  }
}

write_files() {
  mkdir "$folder/tmp" || return 1
  echo "127.0.0.1 localhost" >"$folder/etc-hosts"
  i=1
  while [ $i -le "$count" ]; do
    echo "10.77.0.$i h$i" >>"$folder/etc-hosts"
    echo "h$i slots=$slots" >>"$folder/hostfile"
    i=$((i + 1))
  done
  # enter HOST COMMAND...; and the same with a line for the shell, for mpirun in the place of ssh.
  cat >"$folder/enter" <<ENTER
#!/bin/sh
host=\$1
shift
exec nsenter --net=/run/netns/$name\$host unshare -m -u sh -c '
  mount --make-rprivate / && mount --bind "$folder/etc-hosts" /etc/hosts && hostname "\$0" || exit 77
  exec "\$@"' "\$host" "\$@"
ENTER
  cat >"$folder/agent" <<AGENT
#!/bin/sh
host=\$1
shift
if ip -n ${name}sw link show p\${host#h} | grep -q 'state DOWN'; then
  echo "\$host: its cable is out" >&2
  exit 255
fi
exec "$folder/enter" "\$host" sh -c "\$*"
AGENT
  # Both generations of Open MPI; the sessions of two instances must not meet.
  cat >"$folder/environment" <<ENVIRONMENT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_plm=rsh OMPI_MCA_plm_rsh_agent=$folder/agent OMPI_MCA_orte_default_hostfile=$folder/hostfile
export OMPI_MCA_btl=tcp,self OMPI_MCA_pml=ob1 OMPI_MCA_orte_tmpdir_base=$folder/tmp
export OMPI_MCA_btl_tcp_if_include=10.77.0.0/24 OMPI_MCA_oob_tcp_if_include=10.77.0.0/24
export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export PRTE_MCA_plm_ssh_agent=$folder/agent PRTE_MCA_prte_default_hostfile=$folder/hostfile
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_prte_tmpdir_base=$folder/tmp
export PRTE_MCA_oob_tcp_if_include=10.77.0.0/24
ENVIRONMENT
  chmod 755 "$folder/enter" "$folder/agent"
}

# The bridge is in a namespace too, so that the machine's own network sees nothing of all this.
make_network() {
  ip netns add "${name}sw" && ip -n "${name}sw" link add bridge type bridge &&
    ip -n "${name}sw" link set bridge up || return 1
  i=1
  while [ $i -le "$count" ]; do
    host=${name}h$i
    ip netns add "$host" && ip -n "$host" link set lo up &&
      ip -n "${name}sw" link add "p$i" type veth peer name cable netns "$host" &&
      ip -n "${name}sw" link set "p$i" master bridge up &&
      ip -n "$host" addr add "10.77.0.$i/24" dev cable && ip -n "$host" link set cable up || return 1
    i=$((i + 1))
  done
}

# A cable carries a moment after it is put back, and who missed its host remembers that for some seconds.
wait_for_cable() {
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    ip -n "${name}sw" link show "p${1#h}" | grep -q 'state UP' &&
      ip -n "$name$1" link show cable | grep -q 'state UP' && break
    sleep 0.1
  done
  for space in $(namespaces); do
    case $space in *sw) ;; *) ip -n "$space" neigh flush all ;; esac
  done
}

namespaces() { ip netns list 2>/dev/null | awk -v name="$name" 'index($1, name) == 1 { print $1 }'; }

remove_hosts() {
  # A process may start another while it is being ended.
  for attempt in 1 2 3 4 5; do
    left=
    for space in $(namespaces); do
      for process in $(ip netns pids "$space" 2>/dev/null); do
        kill -KILL "$process" 2>/dev/null && left=yes
      done
    done
    [ -n "$left" ] || break
    sleep "0.$attempt"
  done
  for space in $(namespaces); do ip netns del "$space"; done
  rm -rf "$folder"
}

start_hosts() {
  count=${1:-3} slots=${2:-2}
  case $count$slots in *[!0-9]*) usage ;; esac
  if [ "$count" -lt 1 ] || [ "$count" -gt 250 ]; then usage; fi
  folder=$(mktemp -d "${HOSTS_IN:-/tmp}/tauler-hosts.XXXXXX") || exit 74
  name=tauler$$-
  trap 'remove_hosts' EXIT
  trap 'exit 130' INT TERM HUP
  echo "$name" >"$folder/name"
  write_files || exit 74
  make_network 2>"$folder/errors" || cannot "no right to make network namespaces: $(head -n 1 "$folder/errors")"
  trap - EXIT
  echo "$folder"
}

# The command and its hosts live in namespaces of their own for processes, mounts and network, which the
# kernel ends with the first process in them, however that ends.
isolate() {
  [ $# -ge 2 ] || usage
  flags='-m -n -p -f --kill-child --mount-proc'
  [ "$(id -u)" -eq 0 ] || flags="-U -r $flags"
  # shellcheck disable=SC2086
  if ! errors=$(unshare $flags true 2>&1); then
    cannot "no right to make namespaces here: $errors"
  fi
  # Jobs in the background would have no input.
  exec 3<&0
  # shellcheck disable=SC2086
  setpriv --pdeathsig KILL unshare $flags sh "$0" start-and-run "$@" <&3 3<&- &
  # unshare itself heeds no other signal.
  trap 'kill -KILL $! 2>/dev/null; exit 130' INT TERM HUP
  wait $!
  exit $?
}

start_and_run() {
  { mount -t tmpfs tmpfs /run && ip link set lo up; } || cannot "no right to mount in namespaces here"
  count=$1
  shift
  TAULER_HOSTS=$(HOSTS_IN=/run sh "$0" start "$count") || exit $?
  # Files of the command vanish with it.
  TMPDIR=/run/tmp
  mkdir -m 1777 $TMPDIR
  export TAULER_HOSTS TMPDIR
  "$@"
  status=$?
  sh "$0" stop
  exit $status
}

[ $# -ge 1 ] || usage
need_tools
command=$1
shift
case $command in
isolate) isolate "$@" ;;
start-and-run) start_and_run "$@" ;;
start) start_hosts "$@" ;;
run | on)
  need_hosts
  host=h1
  if [ "$command" = on ]; then
    host=${1:-}
    shift
  fi
  need_host "$host"
  [ $# -ge 1 ] || usage
  # shellcheck source=/dev/null
  . "$folder/environment"
  exec "$folder/enter" "$host" "$@"
  ;;
link)
  need_hosts
  need_host "${1:-}"
  case ${2:-} in up | down) ;; *) usage ;; esac
  ip -n "${name}sw" link set "p${1#h}" "$2"
  [ "$2" = down ] || wait_for_cable "$1"
  ;;
shape)
  need_hosts
  need_host "${1:-}"
  port=p${1#h}
  shift
  ip netns exec "${name}sw" tc qdisc del dev "$port" root 2>/dev/null
  [ $# -eq 0 ] && exit 0
  # A burst holds the largest packet of a cable, 64 KiB, some times.
  if [ "$1" = rate ]; then set -- tbf "$@" burst 256kb latency 100ms; else set -- netem "$@"; fi
  ip netns exec "${name}sw" tc qdisc add dev "$port" root "$@" || cannot "this kernel has no sch_$1"
  ;;
stop)
  need_hosts
  remove_hosts
  ;;
*) usage ;;
esac
