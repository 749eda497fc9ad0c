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
#   sh_hbase_client DIR ARG...  run `java ARG...` with DIR's configuration, HBase, the server jar, this module's classes, the client's and
#                               the key sets on the class path; returns what java returns. Only after sh_hbase_start
#   sh_hbase_usual_dir          print the DIR of deploy/standalone.sh where none is given: that of $ROWGUARD_STANDALONE, else of the user's
#                               data. No directory need be there
#   sh_hbase_jars VERSION       print the class path of that version of HBase; Maven fetches what it has not yet
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
#   SH_HBASE_TIMEOUT         seconds sh_hbase_wait waits; default 180
#   SH_HBASE_SITE            the operator's part of hbase-site.xml; default deploy/conf/standalone-site.xml
#   SH_HBASE_VERSION         another version of HBase than the one that Rowguard is built with, as Maven names it: 2.5.13-hadoop3
#   SH_HBASE_CLASSPATH       a ready class path with HBase and the server jar; default: built with Maven, if it is not there yet
#   JAVA_HOME, MVN           which java, and which command instead of mvn

# With it cd prints where it goes.
unset CDPATH
# By this it knows a configuration again that it has written.
_SH_HBASE_MARK='written at every start by standalone-hbase.sh'
_SH_HBASE_DEPLOY=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

sh_hbase_start() {
  local dir java zk_port
  dir=$(_sh_hbase_dir "${1:?sh_hbase_start DIR}") || return 1
  if sh_hbase_running "$dir"; then
    _sh_hbase_fail "HBase is already running on $dir; sh_hbase_stop it first"
    return 1
  fi
  java=$(_sh_hbase_java) || return 1
  zk_port=$(_sh_hbase_zk_port) || return 1
  _sh_hbase_classpath "$dir" || return 1
  _sh_hbase_configure "$dir" "$zk_port" || return 1

  # nohup: a closed terminal ends whoever started it, which then stops HBase in good order.
  # The pages come last, so that those of HBase's own jar are used if it has them.
  CLASSPATH="$dir/conf:$(cat "$dir/conf/classpath"):$dir/pages" nohup "$java" \
    "-Drowguard.log.dir=$dir/logs" \
    "-Djava.io.tmpdir=$dir/tmp" \
    "-Xmx${SH_HBASE_HEAP:-1g}" \
    -Djava.net.preferIPv4Stack=true \
    "@$_SH_HBASE_DEPLOY/lib/hbase-jdk17.args" \
    org.apache.hadoop.hbase.master.HMaster \
    "--localRegionServers=${SH_HBASE_REGION_SERVERS:-1}" start \
    </dev/null >"$dir/logs/hbase.out" 2>&1 &
  printf '%s\n' "$!" >"$dir/hbase.pid"
  # Else bash reports its end on the console, with the whole command.
  disown "$!"
  _sh_hbase_await_java "$dir" "$!"
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
      problem="HBase ended while starting$(_sh_hbase_reason "$dir")"
    elif grep -qs ' ABORTING ' "$dir/logs/hbase.log"; then
      # The master is gone, but its region servers in the same JVM go on waiting for it.
      problem="HBase gave up starting$(_sh_hbase_reason "$dir")"
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
    if ! _sh_hbase_initialized "$dir" || ! _sh_hbase_ask_to_stop "$dir"; then
      kill -TERM "$pid" 2>/dev/null || true
      patience=30
    fi
    if ! _sh_hbase_ended "$dir" "$patience"; then
      kill -KILL "$pid" 2>/dev/null || true
      _sh_hbase_say "HBase did not stop when asked to and was killed; rows that it had not flushed are lost. See $dir/logs"
      _sh_hbase_ended "$dir" 30 || return 1
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
    _sh_hbase_ended "$dir" 30 || { _sh_hbase_fail "HBase on $dir does not end; nothing removed"; return 1; }
  fi
  rm -rf "${dir:?}"/{conf,lib,pages,logs,data,zookeeper,tmp,hbase.pid}
  rmdir "$dir" 2>/dev/null || true
}

sh_hbase_running() {
  local pid args
  pid=$(cat "$1/hbase.pid" 2>/dev/null) || return 1
  # The number alone may by now be somebody else's, or that of a dead process nobody has waited for: neither has this argument.
  if [[ -d /proc/self ]]; then
    args=$(tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline") || return 1
  else
    args=$(ps -ww -p "$pid" -o args= 2>/dev/null) || return 1
  fi
  [[ $args == *"-Drowguard.log.dir=$(cd "$1" && pwd)/logs "* ]]
}

sh_hbase_usual_dir() {
  local home=${HOME:-~}
  printf '%s\n' "${ROWGUARD_STANDALONE:-${XDG_DATA_HOME:-$home/.local/share}/rowguard/standalone}"
}

sh_hbase_client() {
  local dir=${1:?sh_hbase_client DIR ARG...} root=$_SH_HBASE_DEPLOY/.. java
  shift
  if [[ ! -r $dir/conf/classpath ]]; then
    _sh_hbase_fail "there is no HBase in $dir; sh_hbase_start it first"
    return 1
  fi
  dir=$(cd "$dir" && pwd)
  java=$(_sh_hbase_java) || return 1
  CLASSPATH="$dir/conf:$_SH_HBASE_DEPLOY/target/classes:$root/client/salted-table/target/classes:$root/testing/workload/target/classes:$(cat "$dir/conf/classpath")" \
    "$java" \
    -Dlog4j.configuration=log4j-client.properties \
    "-Djava.io.tmpdir=$dir/tmp" \
    -Djava.net.preferIPv4Stack=true \
    "@$_SH_HBASE_DEPLOY/lib/hbase-jdk17.args" "$@"
}

sh_hbase_jars() {
  local version=${1:?sh_hbase_jars VERSION} target=$_SH_HBASE_DEPLOY/target file mvn
  file=$target/hbase-$version.classpath
  if ! _sh_hbase_whole "$file" || [[ $_SH_HBASE_DEPLOY/hbase/pom.xml -nt $file ]]; then
    _sh_hbase_mvn || return 1
    read -r -a mvn <<<"${MVN:-mvn}"
    _sh_hbase_say "fetching HBase $version; the first time that takes minutes ..."
    mkdir -p "$target"
    if ! "${mvn[@]}" -B -f "$_SH_HBASE_DEPLOY/hbase/pom.xml" "-Dhbase.version=$version" \
      dependency:build-classpath "-Dmdep.outputFile=$file.$$" >"$file.log" 2>&1 </dev/null; then
      _sh_hbase_fail "Maven does not get HBase $version$(_sh_hbase_first_error "$file.log"); see $file.log"
      return 1
    fi
    mv "$file.$$" "$file"
  fi
  cat "$file"
}

# What follows is not for callers.

_sh_hbase_say() {
  printf 'standalone-hbase: %s\n' "$1" >&2
}

_sh_hbase_fail() {
  _sh_hbase_say "$1"
  return 1
}

# Whether it has come up. The log says so until it is rolled, and later the mark of sh_hbase_wait.
_sh_hbase_initialized() {
  [[ -e $1/conf/up ]] || grep -qs 'Master has completed initialization' "$1/logs/hbase.log"
}

# Asks the master to end the cluster, and gives up asking after 60 s.
_sh_hbase_ask_to_stop() {
  local client began=$SECONDS
  sh_hbase_client "$1" org.apache.hadoop.hbase.master.HMaster stop --shutDownCluster >"$1/logs/stop.out" 2>&1 &
  client=$!
  while kill -0 "$client" 2>/dev/null; do
    sh_hbase_running "$1" || break
    if ((SECONDS - began >= 60)); then
      kill "$client" 2>/dev/null || true
      break
    fi
    sleep 0.1
  done
  wait "$client" 2>/dev/null
}

# Waits until a process that was just begun is java, or gone: on a busy machine it is for a moment still a copy of this shell,
# which does not look as if HBase were running.
_sh_hbase_await_java() {
  local began=$SECONDS
  while ! sh_hbase_running "$1" && kill -0 "$2" 2>/dev/null; do
    ((SECONDS - began < 60)) || return 0
    sleep 0.05
  done
}

# Whether it ended, waiting for it as many seconds.
_sh_hbase_ended() {
  local began=$SECONDS
  while sh_hbase_running "$1"; do
    ((SECONDS - began < $2)) || return 1
    sleep 0.1
  done
}

# Whether DIR may be written to and emptied: not where an HBase is installed, or somebody else's configuration lies.
_sh_hbase_own() {
  if [[ -e $1/bin/hbase ]] ||
    { [[ -e $1/conf/hbase-site.xml ]] && ! grep -qsF "$_SH_HBASE_MARK" "$1/conf/hbase-site.xml"; }; then
    _sh_hbase_fail "$1 holds an HBase or a configuration that is not of this script: give a directory of its own"
    return 1
  fi
}

# DIR's full name, with all that is in it made and writable.
_sh_hbase_dir() {
  local dir free
  _sh_hbase_own "$1" || return 1
  if ! mkdir -p "$1"/{conf,lib,logs,data,zookeeper,tmp} 2>/dev/null; then
    _sh_hbase_fail "cannot write to $1: give a directory of your own"
    return 1
  fi
  dir=$(cd "$1" && pwd)
  if ! printf 'x' 2>/dev/null >"$dir/tmp/writable"; then
    _sh_hbase_fail "cannot write to $dir: no right to, or the disk is full"
    return 1
  fi
  rm -f "$dir/tmp/writable"
  free=$(df -Pk "$dir" | awk 'NR == 2 { print $4 }')
  if ((free < 256 * 1024)); then
    _sh_hbase_fail "only $((free / 1024)) MiB are free on the disk of $dir; HBase needs 256"
    return 1
  fi
  printf '%s\n' "$dir"
}

_sh_hbase_java() {
  local java version major
  if [[ -n ${JAVA_HOME:-} ]]; then
    java=$JAVA_HOME/bin/java
    [[ -x $java ]] || { _sh_hbase_fail "no java in JAVA_HOME=$JAVA_HOME; HBase needs JDK 17 to 23"; return 1; }
  else
    java=$(command -v java) || { _sh_hbase_fail "java is missing; install JDK 17, or set JAVA_HOME"; return 1; }
  fi
  version=$("$java" -version 2>&1 | sed -n 's/.*version "\([^"]*\)".*/\1/p') || version=
  major=${version#1.}
  major=${major%%[!0-9]*}
  # From 24 on there is no security manager, without which Hadoop 3.3 does not start.
  if [[ -z $major ]] || ((major < 17 || major > 23)); then
    _sh_hbase_fail "$java is Java ${version:-of an unknown version}; HBase here needs 17 to 23: set JAVA_HOME"
    return 1
  fi
  printf '%s\n' "$java"
}

_sh_hbase_port_busy() {
  (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

_sh_hbase_zk_port() {
  local port tries
  if [[ -n ${SH_HBASE_ZK_PORT:-} ]]; then
    if _sh_hbase_port_busy "$SH_HBASE_ZK_PORT"; then
      _sh_hbase_fail "port $SH_HBASE_ZK_PORT (SH_HBASE_ZK_PORT) is in use; choose another, or none to have a free one found"
      return 1
    fi
    printf '%s\n' "$SH_HBASE_ZK_PORT"
    return 0
  fi
  for ((tries = 0; tries < 50; tries++)); do
    # Below 32768, where systems begin to hand out ports to outgoing connections.
    port=$((20000 + RANDOM % 12000))
    if ! _sh_hbase_port_busy "$port"; then
      printf '%s\n' "$port"
      return 0
    fi
  done
  _sh_hbase_fail "no free port between 20000 and 32000 on 127.0.0.1"
}

# Writes DIR/conf/classpath: the given one, or the last build's, or that of a build made now.
_sh_hbase_classpath() {
  local dir=$1 target=$_SH_HBASE_DEPLOY/target jar mvn hbase
  if [[ -n ${SH_HBASE_CLASSPATH:-} ]]; then
    printf '%s\n' "$SH_HBASE_CLASSPATH" >"$dir/conf/classpath"
    return 0
  fi
  if ! _sh_hbase_built "$target"; then
    _sh_hbase_mvn || return 1
    read -r -a mvn <<<"${MVN:-mvn}"
    printf 'Building Rowguard; the first time Maven also fetches HBase, which takes minutes ...\n'
    touch "$dir/tmp/build.began"
    if ! (cd "$_SH_HBASE_DEPLOY/.." && "${mvn[@]}" -B package -pl deploy -am -Dmaven.test.skip=true -Dspotless.check.skip=true) \
      >"$dir/logs/build.log" 2>&1 </dev/null; then
      _sh_hbase_fail "the build failed$(_sh_hbase_first_error "$dir/logs/build.log"); see $dir/logs/build.log"
      return 1
    fi
    # Maven leaves files alone that come out the same, so their own times do not tell when the last build was. And what it is for: a
    # build by hand may be on another HBase, to which these tables must not be upgraded unasked.
    cksum <"$target/standalone.classpath" >"$target/standalone.built"
    touch -r "$dir/tmp/build.began" "$target/standalone.built"
  fi
  # A copy: the next build must not pull the jar from under a running JVM.
  jar=$(_sh_hbase_jar "$target")
  rm -f "$dir"/lib/rowguard-server-*.jar
  if ! cp "$jar" "$dir/lib/"; then
    _sh_hbase_fail "cannot copy $jar to $dir/lib"
    return 1
  fi
  if [[ -n ${SH_HBASE_VERSION:-} ]]; then
    hbase=$(sh_hbase_jars "$SH_HBASE_VERSION") || return 1
  else
    hbase=$(cat "$target/standalone.classpath")
  fi
  printf '%s:%s\n' "$dir/lib/$(basename "$jar")" "$hbase" >"$dir/conf/classpath"
}

_sh_hbase_mvn() {
  local mvn
  read -r -a mvn <<<"${MVN:-mvn}"
  command -v "${mvn[0]}" >/dev/null ||
    _sh_hbase_fail "${mvn[0]} is missing; install Maven 3.6.3 or later, or set MVN"
}

_sh_hbase_jar() {
  find "$1" -maxdepth 1 -name 'rowguard-server-*.jar' 2>/dev/null | sort | tail -n 1
}

# Whether the last build was after the last change of a source, and its class path is whole.
_sh_hbase_built() {
  local root=$_SH_HBASE_DEPLOY/..
  [[ -n $(_sh_hbase_jar "$1") && -s $1/standalone.built && -r $1/standalone.classpath ]] || return 1
  [[ $(cksum <"$1/standalone.classpath") == "$(cat "$1/standalone.built")" ]] || return 1
  [[ -z $(find "$root"/* -name target -prune -o \( -name pom.xml -o -path '*/src/main/*' \) -type f -newer "$1/standalone.built" \
    -print 2>/dev/null) ]] && _sh_hbase_whole "$1/standalone.classpath"
}

# Whether there is a class path in a file, and all its jars are still there.
_sh_hbase_whole() {
  local entry classpath
  [[ -s $1 ]] || return 1
  classpath=$(cat "$1")
  while IFS= read -r -d : entry; do
    [[ -e $entry ]] || return 1
  done <<<"$classpath:"
}

_sh_hbase_configure() {
  local dir=$1 zk_port=$2 site=${SH_HBASE_SITE:-$_SH_HBASE_DEPLOY/conf/standalone-site.xml} xml_dir name value
  local servers=${SH_HBASE_REGION_SERVERS:-1}
  # HBase 2.5's jars for Hadoop 3 have no web pages, and its server does not start without the folders; /jmx needs no more of them.
  mkdir -p "$dir"/pages/hbase-webapps/{master,regionserver,static}
  if [[ ! -r $site ]]; then
    _sh_hbase_fail "cannot read $site (SH_HBASE_SITE)"
    return 1
  fi
  # Of an earlier run: they would say that the master is up already.
  rm -f "$dir"/logs/hbase.log* "$dir/logs/hbase.out" "$dir/conf/up"
  cp "$_SH_HBASE_DEPLOY"/conf/log4j*.properties "$dir/conf/"
  printf '%s\n' "$zk_port" >"$dir/conf/zookeeper.port"
  xml_dir=$(printf '%s' "$dir" | sed 's/&/\&amp;/g; s/</\&lt;/g')
  # The operator's properties, then this machine's: in one file the later of two settings holds. Whole under another name first:
  # what an interruption leaves half would not be known again.
  {
    sed '/<\/configuration>/,$d' "$site"
    printf '\n  <!-- From here on: this machine, %s. -->\n' "$_SH_HBASE_MARK"
    # Clients of 3.0 would ask the masters that they know, of which none has its usual port here.
    # Chunks of 2 MB, HBase's own, take twice their size in a heap below 16 GB: see docs/internals/hbase-facts.md.
    # HBase in one JVM ends its sessions after 10 s, so that one long pause would end it; 40 s is the most that ZooKeeper grants.
    while read -r name value; do
      printf '  <property>\n    <name>%s</name>\n    <value>%s</value>\n  </property>\n' "$name" "$value"
    done <<PROPERTIES
hbase.client.registry.impl org.apache.hadoop.hbase.client.ZKConnectionRegistry
hbase.cluster.distributed false
hbase.rootdir file://$xml_dir/data
hbase.tmp.dir $xml_dir/tmp
hbase.unsafe.stream.capability.enforce false
hbase.zookeeper.quorum 127.0.0.1
hbase.zookeeper.property.clientPort $zk_port
hbase.zookeeper.property.dataDir $xml_dir/zookeeper
hbase.master.hostname localhost
hbase.master.ipc.address 127.0.0.1
hbase.master.port 0
hbase.master.info.bindAddress 127.0.0.1
hbase.master.info.port 0
hbase.master.wait.on.regionservers.mintostart $servers
hbase.master.wait.on.regionservers.maxtostart $servers
hbase.unsafe.regionserver.hostname localhost
hbase.regionserver.ipc.address 127.0.0.1
hbase.regionserver.port 0
hbase.regionserver.info.bindAddress 127.0.0.1
hbase.regionserver.info.port 0
hbase.regionserver.msginterval 500
hbase.master.event.waiting.time 10
hbase.hregion.memstore.mslab.chunksize 1047552
zookeeper.session.timeout.localHBaseCluster 40000
PROPERTIES
    printf '</configuration>\n'
  } >"$dir/conf/hbase-site.xml.new"
  mv "$dir/conf/hbase-site.xml.new" "$dir/conf/hbase-site.xml"
}

# Why HBase ended, as far as one line tells, ": ..." or nothing: why it aborted, else the last error in its log, else the first thing
# that java itself said.
_sh_hbase_reason() {
  local line
  line=$(grep -hs -m 1 ' ABORTING ' "$1/logs/hbase.log" ||
    grep -hsE '^Caused by: |^[a-z0-9.]+\.[A-Z][A-Za-z]*(Exception|Error)\b| (ERROR|FATAL) |^Could not start ZK' \
      "$1/logs/hbase.log" "$1/logs/hbase.out" | tail -n 1 | grep . ||
    head -n 1 "$1/logs/hbase.out" 2>/dev/null) || true
  line=${line#*\*\*\*\*\* }
  [[ -z $line ]] || printf ': %s' "${line:0:300}"
}

_sh_hbase_first_error() {
  local line
  # The first line that says something: "COMPILATION ERROR :" does not.
  line=$(grep -E '^\[ERROR\]' "$1" | grep -v -m 1 'COMPILATION ERROR') || true
  [[ -z $line ]] || printf ': %s' "${line:0:300}"
}
