#!/usr/bin/env bash
# A cluster of real processes on this machine, with Rowguard, to see what happens when some of them end or stand still.
# `deploy/cluster.sh --help` says more.
set -euo pipefail
unset CDPATH # with which cd prints where it goes

deploy=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=SCRIPTDIR/lib/cluster-hbase.sh
. "$deploy/lib/cluster-hbase.sh"

dir=${ROWGUARD_CLUSTER:-${XDG_DATA_HOME:-$HOME/.local/share}/rowguard/cluster}
masters=2
region_servers=3
datanodes=3
network=no
small_disk=no
struck=

usage() {
  cat <<'USAGE'
usage: deploy/cluster.sh [OPTION...] COMMAND [ARGUMENT...]

ZooKeeper, HDFS and HBase with Rowguard's server jar as processes of this machine, on ports of 127.0.0.1: to kill some of them, let them
stand still, or cut them off. Takes 5 GB of memory. Its servers are called zookeeper, namenode, datanode-1, master-1, region-server-1, ...

  start                  start it, with the tables it had when it was stopped; builds Rowguard first if need be (some 40 s)
  stop                   stop all of it in good order; the tables stay in DIR
  status                 say which servers run, and how to reach them; exits with 0 if all run, with 1 if some, with 3 if none
  kill NAME              end a server at once (SIGKILL)
  add NAME               start a server that was killed again
  add KIND               start one more: master (up to 3), region-server (up to 6), datanode (up to 3)
  restart [NAME]         end a server in good order and start it again; a region server gives its regions to others before, and gets
                         them back. Without a name: all of HBase's, one after the other, the masters first
  pause NAME [SECONDS]   let a server stand still (SIGSTOP), for so long or until `resume`
  resume NAME            let it go on
  cut NAME [PEER...]     pull its plug; with PEERs, lose what it sends to these servers
  flap NAME SECONDS      pull and put it back again and again, each time for less than half a second
  slow NAME              let no more than 2 Mbit/s through, up to 0.4 s late
  fill NAME              leave a data node no room on its disk
  heal NAME              take back what `cut`, `slow` and `fill` did
  shell                  HBase's own shell (2.4.17) on it; arguments go to the shell

  --dir DIR              a directory of its own for data, logs, configuration; default: $ROWGUARD_CLUSTER, else
                         ${XDG_DATA_HOME:-~/.local/share}/rowguard/cluster. To be rid of it, stop it and remove DIR
  --masters N, --region-servers N, --datanodes N
                         start: how many; default 2, 3 and 3
  --network              start: each server in a network namespace of its own, with an address that only this machine reaches, so that
                         it can be cut and slowed. Linux, as root, with iproute2; `stop` takes the network away
  --small-disk           start: the last data node has a disk of its own that can be filled, 4 GB in memory, and empty at each start; there
                         must be another one. Linux, as root
  --help                 this text

The masters check every table against its layout; each table names the region observer and the split policy itself, as in the README.
That is deploy/conf/standalone-site.xml (SH_HBASE_SITE: another file).
A restart is a rolling upgrade where SH_HBASE_VERSION says another HBase, as Maven names it (2.6.1-hadoop3), with the server jar of the
last build; else the servers stay what they are.
Environment: JAVA_HOME (JDK 17 to 23), MVN (a command instead of mvn), CLUSTER_HEAP (of a region server, 768m), SH_HBASE_TIMEOUT (180,
seconds for a server to come up), CLUSTER_SESSION_MILLIS (20000, after which a server that stands still is taken for dead).
USAGE
}

fail() {
  printf 'cluster: %s\n' "$1" >&2
  exit 2
}

# The lines of a server before its start is over, and after.
step() {
  printf '  %-38s ' "$1"
  shift
  if "$@"; then
    printf 'ok\n'
  else
    printf 'failed\n'
    return 1
  fi
}

is_running() {
  local name
  for name in $(cluster_servers "$dir"); do
    [[ $(cluster_state "$dir" "$name") == dead ]] || return 0
  done
  return 1
}

needs_running() {
  is_running || fail "it is not running; deploy/cluster.sh start it first. dir=$dir"
}

needs_network() {
  [[ -e $dir/network ]] || fail "its servers share this machine's network; stop it, then deploy/cluster.sh --network start"
}

# The one server that a command is about.
needs_server() {
  [[ -n ${1:-} ]] || fail "which server? deploy/cluster.sh status lists them"
  grep -qxF -e "$1" <<<"$(cluster_servers "$dir")" || fail "no server is called $1; it has: $(cluster_servers "$dir" | tr '\n' ' ')"
}

start() {
  local name names=(zookeeper namenode) began=$SECONDS i why
  dir=$(_sh_hbase_dir "$dir" 1024) || return 1
  if is_running; then
    printf 'It is running already.\n'
    status
    return
  fi
  _sh_hbase_java >/dev/null || return 1
  leave_nothing || return 1
  [[ $small_disk == no || $datanodes -gt 1 ]] || fail "--small-disk needs a second data node, whose blocks stay"
  if [[ $small_disk == yes ]] && why=$(cluster_disk_missing); then
    _sh_hbase_fail "there can be no small disk here: $why"
    return 1
  fi
  if [[ $network == yes ]] && why=$(cluster_network_missing); then
    _sh_hbase_fail "there can be no network of its own here: $why"
    return 1
  fi
  mkdir -p "$dir/servers" "$dir/hdfs"
  _sh_hbase_classpath "$dir" || return 1
  if ! _sh_hbase_whole "$dir/conf/storage.classpath"; then
    tr ':' '\n' <"$dir/conf/classpath" | grep -v '/rowguard-server-[^/]*$' | paste -s -d : - >"$dir/conf/storage.classpath"
  fi
  rm -rf "$dir"/logs/* "$dir"/servers/*.pid
  trap give_up INT TERM HUP # servers ignore SIGINT, and half a cluster would stay
  for ((i = 1; i <= datanodes; i++)); do names+=("datanode-$i"); done
  for ((i = 1; i <= masters; i++)); do names+=("master-$i"); done
  for ((i = 1; i <= region_servers; i++)); do names+=("region-server-$i"); done
  if [[ $network == yes ]]; then
    cluster_network_make "$dir" || give_up
  fi
  if [[ $small_disk == yes ]]; then
    cluster_disk_make "$dir" "datanode-$datanodes" || give_up
  fi
  _cluster_configure "$dir" "$datanodes" "$region_servers" || give_up
  [[ -d $dir/hdfs/namenode/current ]] || step 'HDFS is made' format || give_up
  # HBase waits by itself for HDFS; that needs its name node to answer.
  for name in "${names[@]}"; do
    cluster_launch "$dir" "$name" || give_up
    case $name in
      zookeeper | namenode) step "$name" cluster_await "$dir" "$name" || give_up ;;
    esac
  done
  for name in "${names[@]:2}"; do
    step "$name" cluster_await "$dir" "$name" || give_up
  done
  trap - INT TERM HUP
  printf 'Up after %d s.\n' $((SECONDS - began))
  status
}

format() {
  CLASSPATH=$(_cluster_classpath "$dir" namenode) "$(_sh_hbase_java)" "@$deploy/lib/hbase-jdk17.args" \
    "-Drowguard.log.dir=$dir/logs" "-Djava.io.tmpdir=$dir/tmp" -Djava.net.preferIPv4Stack=true -Xmx128m \
    org.apache.hadoop.hdfs.server.namenode.NameNode -format -nonInteractive >"$dir/logs/format.out" 2>&1 || {
    _sh_hbase_fail "HDFS cannot be made in $dir/hdfs; see $dir/logs/format.out"
  }
}

# Takes away a network and a disk that no server needs any more, or that a start has left that was cut short.
leave_nothing() {
  local status=0
  cluster_network_remove "$dir" || status=1
  cluster_disk_remove "$dir" || status=1
  return "$status"
}

# After a start that failed: nothing of it stays.
give_up() {
  local name
  trap '' INT TERM HUP
  for name in $(cluster_servers "$dir"); do
    [[ $(cluster_state "$dir" "$name") == dead ]] || cluster_signal "$dir" "$name" KILL || true
  done
  # A data node that is still ending holds its disk.
  for name in $(cluster_servers "$dir"); do
    _sh_hbase_ended "$dir/servers/$name.pid" "$dir/logs/$name" 30 || true
  done
  rm -f "$dir"/servers/*.pid
  leave_nothing || true
  exit 1
}

# Ends servers side by side: end_all SECONDS NAME...
end_all() {
  local patience=$1 name status=0 jobs=()
  shift
  for name in "$@"; do
    cluster_end "$dir" "$name" "$patience" &
    jobs+=("$!")
  done
  for name in ${jobs[@]+"${jobs[@]}"}; do
    wait "$name" || status=1
  done
  return "$status"
}

named() {
  cluster_servers "$dir" | grep -E "^($1)(-|\$)" || true
}

stop() {
  local name status=0 clean=no
  if ! is_running; then
    rm -f "$dir"/servers/*.pid
    printf 'It is not running. dir=%s\n' "$dir"
    leave_nothing
    return
  fi
  for name in $(cluster_servers "$dir"); do
    cluster_heal "$dir" "$name" || status=1
    [[ $(cluster_state "$dir" "$name") != paused ]] || cluster_signal "$dir" "$name" CONT || true
  done
  ! cluster_active_master "$dir" >/dev/null || ! _sh_hbase_ask_to_stop "$dir" is_running || clean=yes
  if [[ $clean == yes ]]; then
    for name in $(named region-server); do
      _sh_hbase_ended "$dir/servers/$name.pid" "$dir/logs/$name" 60 || true
    done
  fi
  # shellcheck disable=SC2046
  end_all 20 $(named region-server) || status=1
  # shellcheck disable=SC2046
  end_all 20 $(named master) || status=1
  # shellcheck disable=SC2046
  end_all 20 $(named 'datanode|namenode') || status=1
  end_all 20 zookeeper || status=1
  rm -f "$dir"/servers/*.pid
  leave_nothing || status=1
  printf 'Stopped. Its tables stay in %s\n' "$dir"
  return "$status"
}

# The harm that a server runs on with, in words.
faults() {
  cluster_network_faults "$dir" "$1"
  ! cluster_disk_is_full "$dir" "$1" || printf ' (disk full)'
}

status() {
  local name state active running=0 all=0 web script rowguard dir_word
  if ! is_running; then
    printf 'It is not running. dir=%s\n' "$dir"
    return 3
  fi
  active=$(cluster_active_master "$dir") || active=
  for name in $(cluster_servers "$dir"); do
    state=$(cluster_state "$dir" "$name")
    ((++all))
    [[ $state != running ]] || ((++running))
    web=http://$(cluster_address "$dir" "$name"):$(cluster_web_port "$dir" "$name")/jmx
    [[ $name != zookeeper ]] || web=$(cluster_address "$dir" "$name"):$(cluster_port "$dir" "$name")
    printf '  %-16s %-8s %-8s %-16s %s%s%s\n' "$name" "$state" "$(<"$dir/servers/$name.pid")" "$(cluster_version "$dir" "$name")" \
      "$web" "$(faults "$name")" "$([[ $name != "$active" ]] || printf ' (active)')"
  done
  printf -v script '%q' "$deploy/cluster.sh"
  printf -v rowguard '%q' "$deploy/rowguard"
  printf -v dir_word '%q' "$dir"
  cat <<STATUS
  configuration    $dir/conf/hbase-site.xml
  logs             $dir/logs/NAME/hbase.log
  a shell          $script --dir $dir_word shell
  examine it       $rowguard doctor --site $dir_word/conf/hbase-site.xml
  end it           $script --dir $dir_word stop
STATUS
  ((running == all)) || return 1
}

kill_one() {
  needs_running
  needs_server "${1:-}"
  [[ $(cluster_state "$dir" "$1") != dead ]] || fail "$1 is dead already; add it to start it again"
  cluster_signal "$dir" "$1" KILL
  _sh_hbase_ended "$dir/servers/$1.pid" "$dir/logs/$1" 30 || fail "$1 does not end"
  printf 'Killed %s.\n' "$1"
}

add() {
  local name=${1:-} most i
  needs_running
  case $name in
    datanode | master) most=3 ;;
    region-server) most=6 ;;
    '') fail "add what? A server that was killed, or master, region-server or datanode" ;;
    *)
      needs_server "$name"
      [[ $(cluster_state "$dir" "$name") == dead ]] || fail "$name runs; kill it first"
      ;;
  esac
  if [[ -n ${most:-} ]]; then
    for ((i = 1; i <= most; i++)); do
      [[ -e $dir/servers/$name-$i.pid ]] || break
    done
    ((i <= most)) || fail "there are $most of $name already; a killed one is started again by its name: add $name-1"
    name=$name-$i
  fi
  cluster_launch "$dir" "$name" || return 1
  if [[ $name == region-server-* ]] && ! cluster_active_master "$dir" >/dev/null; then
    printf 'Started %s. There is no active master that could say whether it serves.\n' "$name"
    return
  fi
  cluster_await "$dir" "$name" || return 1
  printf 'Started %s.\n' "$name"
}

restart() {
  local name names=() active
  needs_running
  [[ -z ${1:-} ]] || needs_server "$1"
  # Else they stay what they are: nothing is upgraded unasked.
  [[ -z ${SH_HBASE_VERSION:-}${SH_HBASE_CLASSPATH:-} ]] || _sh_hbase_classpath "$dir" || return 1
  if [[ -n ${1:-} ]]; then
    names=("$1")
  else
    active=$(await_master) || return 1
    for name in $(named master); do
      [[ $name == "$active" || $(cluster_state "$dir" "$name") == dead ]] || names+=("$name")
    done
    names+=("$active")
    for name in $(named region-server); do
      [[ $(cluster_state "$dir" "$name") == dead ]] || names+=("$name")
    done
  fi
  for name in "${names[@]}"; do
    step "$name" restart_one "$name" || return 1
  done
}

restart_one() {
  local regions=$dir/tmp/$1.regions others
  others=$(named region-server | grep -vxF -e "$1" | while read -r name; do cluster_state "$dir" "$name"; done | grep -c running || true)
  rm -f "$regions"
  if [[ $1 == region-server-* && $(cluster_state "$dir" "$1") == running ]] && ((others > 0)); then
    # If they do not move, or HBase has ended the server meanwhile, they open elsewhere when it is gone.
    move_regions "$1" unload "$regions" || true
  fi
  cluster_end "$dir" "$1" 60 || true
  cluster_launch "$dir" "$1" || return 1
  cluster_await "$dir" "$1" || return 1
  if [[ -s $regions ]]; then
    move_regions "$1" load "$regions" || true
  fi
}

# The active master; when that was restarted, another one takes a while to get ready.
await_master() {
  local began=$SECONDS
  until cluster_active_master "$dir"; do
    if ((SECONDS - began >= ${SH_HBASE_TIMEOUT:-180})); then
      _sh_hbase_fail "no master gets active; deploy/cluster.sh status says what runs"
      return 1
    fi
    sleep 0.5
  done
}

# As bin/graceful_stop.sh does, eight at a time: move_regions NAME unload|load FILE
move_regions() {
  local log=$dir/logs/$1/$2.out
  await_master >/dev/null || return 1
  sh_hbase_client "$dir" org.apache.hadoop.hbase.util.RegionMover \
    --regionserverhost "$(cluster_address "$dir" "$1"):$(cluster_port "$dir" "$1")" --operation "$2" --filename "$3" --maxthreads 8 \
    >"$log" 2>&1 || {
    _sh_hbase_fail "the regions of $1 do not move ($2); see $log"
    return 1
  }
}

is_seconds() {
  [[ $1 =~ ^[1-9][0-9]{0,4}$ ]]
}

pause() {
  needs_running
  needs_server "${1:-}"
  [[ -z ${2:-} ]] || is_seconds "$2" || fail "how long is $2? Say seconds, or nothing to pause it until it is resumed"
  [[ $(cluster_state "$dir" "$1") == running ]] || fail "$1 does not run: it is $(cluster_state "$dir" "$1")"
  # An interruption must not leave it standing still.
  struck=$1
  [[ -z ${2:-} ]] || trap 'cluster_signal "$dir" "$struck" CONT' EXIT
  cluster_signal "$dir" "$1" STOP
  if [[ -z ${2:-} ]]; then
    printf 'Paused %s. Until it is resumed it holds its memory, and its ports answer nothing.\n' "$1"
    return
  fi
  sleep "$2"
  trap - EXIT
  cluster_signal "$dir" "$1" CONT
  printf 'Paused %s for %d s.\n' "$1" "$2"
}

resume() {
  needs_running
  needs_server "${1:-}"
  [[ $(cluster_state "$dir" "$1") == paused ]] || fail "$1 is not paused: it is $(cluster_state "$dir" "$1")"
  cluster_signal "$dir" "$1" CONT
  printf 'Resumed %s.\n' "$1"
}

# Checks what `cut`, `flap` and `slow` need.
needs_connected() {
  needs_running
  needs_server "${1:-}"
  needs_network
  [[ $(cluster_state "$dir" "$1") == running ]] || fail "$1 is $(cluster_state "$dir" "$1") already"
}

cut_off() {
  local name=${1:-} peer
  needs_connected "$name"
  shift
  for peer in "$@"; do
    needs_server "$peer"
    [[ $peer != "$name" ]] || fail "$name cannot be cut from itself"
  done
  cluster_cut "$dir" "$name" "$@" || return 1
  if (($# == 0)); then
    printf 'Cut %s off.\n' "$name"
  else
    printf 'Cut %s from %s: what it sends there is lost.\n' "$name" "$*"
  fi
}

flap() {
  local end
  needs_connected "${1:-}"
  is_seconds "${2:-}" || fail "for how long? Say seconds"
  end=$((SECONDS + $2))
  # An interruption must not leave it cut.
  struck=$1
  trap 'cluster_network_heal "$dir" "$struck"' EXIT
  while ((SECONDS < end)); do
    cluster_cut "$dir" "$1" || return 1
    sleep "0.$((RANDOM % 4 + 1))"
    cluster_network_heal "$dir" "$1" || return 1
    sleep "0.$((RANDOM % 9 + 1))"
  done
  trap - EXIT
  printf 'Flapped %s for %d s.\n' "$1" "$2"
}

slow() {
  needs_connected "${1:-}"
  cluster_slow "$dir" "$1" || return 1
  printf 'Slowed %s.\n' "$1"
}

fill() {
  needs_running
  needs_server "${1:-}"
  [[ -e $dir/disk ]] || fail "no disk of it can be filled; stop it, then deploy/cluster.sh --small-disk start"
  [[ $(<"$dir/disk") == "$1" ]] || fail "$1 has no small disk; $(<"$dir/disk") has"
  cluster_disk_fill "$dir" "$1" || return 1
  printf 'Filled the disk of %s.\n' "$1"
}

heal() {
  needs_running
  needs_server "${1:-}"
  cluster_heal "$dir" "$1" || return 1
  printf 'Healed %s.\n' "$1"
}

shell() {
  needs_running
  sh_hbase_shell "$dir" "$@"
}

count() {
  [[ $2 =~ ^[1-9]$ ]] && (($2 <= $3)) || fail "$1 needs a number from 1 to $3"
  printf '%s\n' "$2"
}

main() {
  local command= name
  while (($# > 0)); do
    case $1 in
      --dir)
        [[ -n ${2:-} ]] || fail "--dir needs a directory"
        dir=$2
        shift
        ;;
      --masters)
        masters=$(count "$1" "${2:-}" 3) || exit 2
        shift
        ;;
      --region-servers)
        region_servers=$(count "$1" "${2:-}" 6) || exit 2
        shift
        ;;
      --datanodes)
        datanodes=$(count "$1" "${2:-}" 3) || exit 2
        shift
        ;;
      --network) network=yes ;;
      --small-disk) small_disk=yes ;;
      --help | -h)
        usage
        exit 0
        ;;
      start | stop | status | kill | add | restart | pause | resume | cut | flap | slow | fill | heal | shell)
        command=$1
        shift
        break
        ;;
      *) fail "what is $1? deploy/cluster.sh --help lists the commands" ;;
    esac
    shift
  done
  [[ -n $command ]] || fail "say what to do: start, stop, status, kill, add, restart, pause, resume, cut, flap, slow, fill, heal or shell"
  case $command in
    start | stop | status) (($# == 0)) || fail "$command takes no arguments; what is $1? Options stand before it" ;;
    kill | add | restart | resume | slow | fill | heal) (($# < 2)) || fail "$command takes one name; what is $2?" ;;
    pause | flap) (($# < 3)) || fail "$command takes a name and seconds; what is $3?" ;;
  esac
  if [[ -d $dir ]]; then
    dir=$(cd "$dir" && pwd -P)
  fi
  case $command in
    kill) kill_one "$@" ;;
    cut) cut_off "$@" ;;
    *) "$command" "$@" ;;
  esac
}

main "$@"
