# shellcheck shell=bash
# A standalone HBase in a JVM of its own, from the jars that Maven has, with Rowguard's server jar on its class path.
# For trying things out: one machine, loopback only, data on the local disk. Source this file; it starts nothing by itself.
#
#   sh_hbase_start DIR          start HBase on DIR: makes it if need be, goes on with the tables in it if there are some
#   sh_hbase_wait DIR           wait until its master is initialized, or say why it will not be
#   sh_hbase_stop DIR           stop it cleanly (some 5 s); DIR stays. Nothing to stop is no error. If it hangs, stop it by force, say so, and
#                               return 1: rows that were not flushed yet are lost, since a local disk has no hflush
#   sh_hbase_discard DIR        end it at once and remove what it had in DIR, tables and all; DIR too, if nothing else is in it
#   sh_hbase_running DIR        succeed if it runs; print nothing
#   sh_hbase_usual_dir          print the DIR of deploy/standalone.sh where none is given: that of $ROWGUARD_STANDALONE, else of the user's
#                               data. No directory need be there
#   sh_hbase_client, sh_hbase_shell, sh_hbase_jars  see local-hbase.sh
#
# Each returns 0, or 1 after one line on standard error that says what is wrong. They never exit the calling shell and hold under
# `set -euo pipefail`. Whoever starts should trap, before the start: trap 'sh_hbase_discard "$dir"' EXIT
#
# DIR is for this alone: neither an HBase installation nor a directory with somebody's configuration is taken for it.
# It has conf/ (what this run's server and clients read), lib/ (its server jar), pages/ (for HBase's jars that have no web pages),
# logs/hbase.log, data/ (hbase.rootdir), zookeeper/, tmp/ and hbase.pid.
#
# HBase's web pages, with /jmx (and /prometheus from HBase 2.6 on), are on free ports of 127.0.0.1.
#
# Settings, all optional, read by sh_hbase_start unless it says otherwise:
#   SH_HBASE_ZK_PORT         ZooKeeper's port, by which clients find everything else; default: any free one
#   SH_HBASE_REGION_SERVERS  how many region servers, all in the one JVM; default 1
#   SH_HBASE_HEAP            -Xmx of the JVM; default 1g
#   SH_HBASE_JAVA_OPTS       further options of the JVM
#   SH_HBASE_TIMEOUT         seconds sh_hbase_wait waits; default 180
#   SH_HBASE_SITE            the operator's part of hbase-site.xml; default deploy/conf/standalone-site.xml
#   SH_HBASE_VERSION         another version of HBase than the one that Rowguard is built with, as Maven names it: 2.5.13-hadoop3
#   SH_HBASE_CLASSPATH       a ready class path with HBase and the server jar; default: built with Maven, if it is not there yet
#   JAVA_HOME, MVN           which java, and which command instead of mvn

_SH_HBASE_NAME=standalone-hbase
_SH_HBASE_MARK='written at every start by standalone-hbase.sh'
# shellcheck source=SCRIPTDIR/local-hbase.sh
. "$(dirname "${BASH_SOURCE[0]}")/local-hbase.sh"

sh_hbase_start() {
  local dir zk_port
  dir=$(_sh_hbase_dir "${1:?sh_hbase_start DIR}" 256) || return 1
  if sh_hbase_running "$dir"; then
    _sh_hbase_fail "HBase is already running on $dir; sh_hbase_stop it first"
    return 1
  fi
  _sh_hbase_java >/dev/null || return 1
  zk_port=$(_sh_hbase_zk_port) || return 1
  _sh_hbase_classpath "$dir" || return 1
  _sh_hbase_configure "$dir" "$zk_port" || return 1
  CLASSPATH="$dir/conf:$(cat "$dir/conf/classpath"):$dir/pages" \
    _sh_hbase_launch "$dir/hbase.pid" "$dir/logs" "$dir/logs/hbase.out" \
    "-Djava.io.tmpdir=$dir/tmp" \
    "-Xmx${SH_HBASE_HEAP:-1g}" \
    org.apache.hadoop.hbase.master.HMaster \
    "--localRegionServers=${SH_HBASE_REGION_SERVERS:-1}" start
}

sh_hbase_wait() {
  local dir=${1:?sh_hbase_wait DIR} began=$SECONDS timeout=${SH_HBASE_TIMEOUT:-180} problem=
  if [[ ! -e $dir/hbase.pid ]]; then
    _sh_hbase_fail "there is no HBase in $dir; sh_hbase_start it first"
    return 1
  fi
  printf 'HBase is starting '
  while ! _sh_hbase_initialized "$dir"; do
    # A second look: while a process becomes another program, it has no arguments for a moment.
    if ! sh_hbase_running "$dir" && sleep 0.5 && ! sh_hbase_running "$dir"; then
      problem="HBase ended while starting$(_sh_hbase_reason "$dir/logs")"
    elif grep -qs ' ABORTING ' "$dir/logs/hbase.log"; then
      # The master is gone, but its region servers in the same JVM go on waiting for it.
      problem="HBase gave up starting$(_sh_hbase_reason "$dir/logs")"
    elif ((SECONDS - began >= timeout)); then
      problem="HBase is not up after $timeout s (SH_HBASE_TIMEOUT)"
    fi
    if [[ -n $problem ]]; then
      printf '\n'
      _sh_hbase_fail "$problem; see $dir/logs"
      return 1
    fi
    printf '.'
    sleep 0.5
  done
  touch "$dir/conf/up"
  # The master's first, then those of the region servers.
  sed -n 's/.* Jetty bound to port \([0-9]*\)$/\1/p' "$dir/logs/hbase.log" >"$dir/conf/web.ports"
  printf ' up after %d s, ZooKeeper on 127.0.0.1:%s\n' \
    $((SECONDS - began)) "$(cat "$dir/conf/zookeeper.port")"
}

sh_hbase_stop() {
  local dir=${1:?sh_hbase_stop DIR} pid patience=60 status=0
  if sh_hbase_running "$dir"; then
    pid=$(cat "$dir/hbase.pid")
    # A signal alone is no clean end: the one JVM then stops its ZooKeeper before its region servers, which cannot report.
    if ! _sh_hbase_initialized "$dir" || ! _sh_hbase_ask_to_stop "$dir" sh_hbase_running "$dir"; then
      kill -TERM "$pid" 2>/dev/null || true
      patience=30
    fi
    if ! _sh_hbase_ended "$dir/hbase.pid" "$(cd "$dir" && pwd -P)/logs" "$patience"; then
      kill -KILL "$pid" 2>/dev/null || true
      _sh_hbase_say "HBase did not stop when asked to and was killed; rows that it had not flushed are lost. See $dir/logs"
      _sh_hbase_ended "$dir/hbase.pid" "$(cd "$dir" && pwd -P)/logs" 30 || return 1
      status=1
    fi
  fi
  rm -f "$dir/hbase.pid" 2>/dev/null || true
  return "$status"
}

sh_hbase_discard() {
  local dir=${1:?sh_hbase_discard DIR}
  _sh_hbase_own "$dir" || return 1
  if sh_hbase_running "$dir"; then
    kill -KILL "$(cat "$dir/hbase.pid")" 2>/dev/null || true
    _sh_hbase_ended "$dir/hbase.pid" "$(cd "$dir" && pwd -P)/logs" 30 || { _sh_hbase_fail "HBase on $dir does not end; nothing removed"; return 1; }
  fi
  rm -rf "${dir:?}"/{conf,lib,pages,logs,data,zookeeper,tmp,hbase.pid}
  rmdir "$dir" 2>/dev/null || true
}

sh_hbase_running() {
  _sh_hbase_alive "$1/hbase.pid" "$(cd "$1" 2>/dev/null && pwd -P)/logs"
}

sh_hbase_usual_dir() {
  local home=${HOME:-~}
  printf '%s\n' "${ROWGUARD_STANDALONE:-${XDG_DATA_HOME:-$home/.local/share}/rowguard/standalone}"
}

# Private from here on.

# Whether it has come up. The log says so until it is rolled, and later the mark of sh_hbase_wait.
_sh_hbase_initialized() {
  [[ -e $1/conf/up ]] || grep -qs 'Master has completed initialization' "$1/logs/hbase.log"
}

_sh_hbase_configure() {
  local dir=$1 zk_port=$2 servers=${SH_HBASE_REGION_SERVERS:-1}
  # Of an earlier run: they would say that the master is up already.
  rm -f "$dir"/logs/hbase.log* "$dir/logs/hbase.out" "$dir/conf/up"
  printf '%s\n' "$zk_port" >"$dir/conf/zookeeper.port"
  # HBase in one JVM ends its sessions after 10 s, so that one long pause would end it; 40 s is the most that ZooKeeper grants.
  _sh_hbase_write_site "$dir" <<PROPERTIES
hbase.cluster.distributed false
hbase.rootdir file://$(_sh_hbase_xml "$dir")/data
hbase.unsafe.stream.capability.enforce false
hbase.zookeeper.property.clientPort $zk_port
hbase.master.port 0
hbase.master.info.port 0
hbase.master.wait.on.regionservers.mintostart $servers
hbase.master.wait.on.regionservers.maxtostart $servers
hbase.regionserver.port 0
hbase.regionserver.info.port 0
hbase.regionserver.msginterval 500
zookeeper.session.timeout.localHBaseCluster 40000
PROPERTIES
}
