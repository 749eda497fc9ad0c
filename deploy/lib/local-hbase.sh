# shellcheck shell=bash
# Common parts of standalone-hbase.sh and cluster-hbase.sh: HBase's jars from Maven, a directory of its own, its configuration,
# and JVMs that are known again by their log directory. Both source this file, and set before:
#
#   _SH_HBASE_NAME           who speaks on standard error
#   _SH_HBASE_MARK           by which it knows a configuration again that it has written
#
# Callers of theirs may use, after a start:
#
#   sh_hbase_client DIR ARG...  run `java ARG...` with DIR's configuration, HBase, the server jar, this module's classes, the client's and
#                               the key sets on the class path; returns what java returns
#   sh_hbase_shell DIR ARG...   become HBase's own shell (2.4.17) on DIR; Maven fetches what it has not yet. Replaces the calling process
#   sh_hbase_jars VERSION       print the class path of that version of HBase; Maven fetches what it has not yet
#   sh_hbase_server_jar DIR     print the path of the server jar that was built last in DIR, deploy/target; nothing where there is none
#   sh_hbase_version VERSION    print it as Maven names it: of 2.5, 2.6 and 3.0 the release that Rowguard is tested on

# With it cd prints where it goes.
unset CDPATH
_SH_HBASE_DEPLOY=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

sh_hbase_client() {
  local dir=${1:?sh_hbase_client DIR ARG...} root=$_SH_HBASE_DEPLOY/.. java
  shift
  if [[ ! -r $dir/conf/classpath ]]; then
    _sh_hbase_fail "there is no HBase in $dir; start it first"
    return 1
  fi
  dir=$(cd "$dir" && pwd -P)
  java=$(_sh_hbase_java) || return 1
  CLASSPATH="$dir/conf:$_SH_HBASE_DEPLOY/target/classes:$root/client/salted-table/target/classes:$root/testing/workload/target/classes:$(cat "$dir/conf/classpath")" \
    "$java" \
    -Dlog4j.configuration=log4j-client.properties \
    "-Djava.io.tmpdir=$dir/tmp" \
    -Djava.net.preferIPv4Stack=true \
    "@$_SH_HBASE_DEPLOY/lib/hbase-jdk17.args" "$@"
}

sh_hbase_shell() {
  local dir=$1 java classpath
  shift
  java=$(_sh_hbase_java) || return 1
  classpath=$(_sh_hbase_shell_classpath "$dir") || return 1
  # The script that `hbase shell` runs, out of the shell's own jar; most of its time is the start.
  CLASSPATH="$dir/conf:$classpath" exec "$java" \
    -XX:+UseSerialGC -XX:TieredStopAtLevel=1 \
    "@$_SH_HBASE_DEPLOY/lib/hbase-jdk17.args" \
    --add-opens java.base/java.io=ALL-UNNAMED \
    -Dlog4j.configuration=log4j-client.properties \
    "-Djava.io.tmpdir=$dir/tmp" \
    -Djava.net.preferIPv4Stack=true \
    org.jruby.Main -X+O uri:classloader:/jar-bootstrap.rb "$@"
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

sh_hbase_version() {
  case $1 in
    2.5 | 2.6 | 3.0) sed -n "/<hbase\.version>$1\./{s|.*<hbase.version>\(.*\)</hbase.version>.*|\1|p;q;}" "$_SH_HBASE_DEPLOY/../pom.xml" ;;
    *) printf '%s\n' "$1" ;;
  esac
}

# Private from here on.

_sh_hbase_say() {
  printf '%s: %s\n' "$_SH_HBASE_NAME" "$1" >&2
}

_sh_hbase_fail() {
  _sh_hbase_say "$1"
  return 1
}

# Whether DIR may be written to and emptied: not where an HBase is installed, or somebody else's configuration lies.
_sh_hbase_own() {
  if [[ -e $1/bin/hbase ]] ||
    { [[ -e $1/conf/hbase-site.xml ]] && ! grep -qsF "$_SH_HBASE_MARK" "$1/conf/hbase-site.xml"; }; then
    _sh_hbase_fail "$1 holds an HBase or a configuration that is not of this script: give a directory of its own"
    return 1
  fi
}

# DIR's full name, with what every HBase has in it made and writable: _sh_hbase_dir DIR FREE_MIB
_sh_hbase_dir() {
  local dir free
  _sh_hbase_own "$1" || return 1
  if ! mkdir -p "$1"/{conf,lib,logs,data,zookeeper,tmp} 2>/dev/null; then
    _sh_hbase_fail "cannot write to $1: give a directory of your own"
    return 1
  fi
  dir=$(cd "$1" && pwd -P)
  if ! printf 'x' 2>/dev/null >"$dir/tmp/writable"; then
    _sh_hbase_fail "cannot write to $dir: no right to, or the disk is full"
    return 1
  fi
  rm -f "$dir/tmp/writable"
  free=$(df -Pk "$dir" | awk 'NR == 2 { print $4 }')
  if ((free < $2 * 1024)); then
    _sh_hbase_fail "only $((free / 1024)) MiB are free on the disk of $dir; HBase needs $2"
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

# Whether somebody listens: _sh_hbase_port_busy PORT [ADDRESS]
_sh_hbase_port_busy() {
  (exec 3<>"/dev/tcp/${2:-127.0.0.1}/$1") 2>/dev/null
}

# ZooKeeper's port: the one that is asked for, else a free one.
_sh_hbase_zk_port() {
  if [[ -z ${SH_HBASE_ZK_PORT:-} ]]; then
    _sh_hbase_free_port
  elif _sh_hbase_port_busy "$SH_HBASE_ZK_PORT"; then
    _sh_hbase_fail "port $SH_HBASE_ZK_PORT (SH_HBASE_ZK_PORT) is in use; choose another, or none to have a free one found"
    return 1
  else
    printf '%s\n' "$SH_HBASE_ZK_PORT"
  fi
}

_sh_hbase_free_port() {
  local port tries
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
  jar=$(sh_hbase_server_jar "$target")
  rm -f "$dir"/lib/rowguard-server-*.jar
  if ! cp "$jar" "$dir/lib/"; then
    _sh_hbase_fail "cannot copy $jar to $dir/lib"
    return 1
  fi
  # What was asked for once stays: the data may be of a later version than that of the build.
  if [[ -n ${SH_HBASE_VERSION:-} ]]; then
    printf '%s\n' "$SH_HBASE_VERSION" >"$dir/conf/version"
  elif [[ -s $dir/conf/version ]]; then
    _sh_hbase_say "HBase $(<"$dir/conf/version"), as in an earlier start; SH_HBASE_VERSION names another"
  fi
  if [[ -s $dir/conf/version ]]; then
    hbase=$(sh_hbase_jars "$(<"$dir/conf/version")") || return 1
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

# By their times, since names of versions do not sort: with 0.1.0 the jar of 0.1.0-SNAPSHOT may still be there.
sh_hbase_server_jar() {
  local jar newest=
  for jar in "$1"/rowguard-server-*.jar; do
    [[ ! -e $jar ]] || [[ -n $newest && ! $jar -nt $newest ]] || newest=$jar
  done
  printf '%s\n' "$newest"
}

# Whether the last build was after the last change of a source, and its class path is whole.
_sh_hbase_built() {
  local root=$_SH_HBASE_DEPLOY/..
  [[ -n $(sh_hbase_server_jar "$1") && -s $1/standalone.built && -r $1/standalone.classpath ]] || return 1
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

# Text as XML has it.
_sh_hbase_xml() {
  printf '%s' "$1" | sed 's/&/\&amp;/g; s/</\&lt;/g'
}

# Each line of standard input, a name and a value, as a property of a configuration.
_sh_hbase_properties() {
  local name value
  while read -r name value; do
    printf '  <property>\n    <name>%s</name>\n    <value>%s</value>\n  </property>\n' "$name" "$value"
  done
}

# Writes DIR/conf/hbase-site.xml: the operator's properties, then this machine's from standard input; in one file the later of two
# settings holds. Lays the log configurations beside it. _sh_hbase_write_site DIR
_sh_hbase_write_site() {
  local dir=$1 site=${SH_HBASE_SITE:-$_SH_HBASE_DEPLOY/conf/standalone-site.xml}
  # HBase 2.5's jars for Hadoop 3 have no web pages, and its server does not start without the folders; /jmx needs no more of them.
  # They come last on the class path, so that those of HBase's own jar are used if it has them.
  mkdir -p "$dir"/pages/hbase-webapps/{master,regionserver,static}
  if [[ ! -r $site ]]; then
    _sh_hbase_fail "cannot read $site (SH_HBASE_SITE)"
    return 1
  fi
  cp "$_SH_HBASE_DEPLOY"/conf/log4j*.properties "$dir/conf/"
  # Whole under another name first: what an interruption leaves half would not be known again.
  {
    sed '/<\/configuration>/,$d' "$site"
    printf '\n  <!-- From here on: this machine, %s. -->\n' "$_SH_HBASE_MARK"
    # Clients of 3.0 would ask the masters that they know, of which none has its usual port here.
    # Chunks of 2 MB, HBase's own, take twice their size in a heap below 16 GB: see docs/internals/hbase-facts.md.
    cat <(printf '%s\n' \
      'hbase.client.registry.impl org.apache.hadoop.hbase.client.ZKConnectionRegistry' \
      "hbase.tmp.dir $(_sh_hbase_xml "$dir")/tmp" \
      'hbase.zookeeper.quorum 127.0.0.1' \
      "hbase.zookeeper.property.dataDir $(_sh_hbase_xml "$dir")/zookeeper" \
      'hbase.master.hostname localhost' \
      'hbase.master.ipc.address 127.0.0.1' \
      'hbase.master.info.bindAddress 127.0.0.1' \
      'hbase.unsafe.regionserver.hostname localhost' \
      'hbase.regionserver.ipc.address 127.0.0.1' \
      'hbase.regionserver.info.bindAddress 127.0.0.1' \
      'hbase.master.event.waiting.time 10' \
      'hbase.hregion.memstore.mslab.chunksize 1047552') - | _sh_hbase_properties
    printf '</configuration>\n'
  } >"$dir/conf/hbase-site.xml.new"
  mv "$dir/conf/hbase-site.xml.new" "$dir/conf/hbase-site.xml"
}

_sh_hbase_first_error() {
  local line
  # The first line that says something: "COMPILATION ERROR :" does not.
  line=$(grep -E '^\[ERROR\]' "$1" | grep -v -m 1 'COMPILATION ERROR') || true
  [[ -z $line ]] || printf ': %s' "${line:0:300}"
}

# The shell's jars, as Maven has them. They change only with their pom.
_sh_hbase_shell_classpath() {
  local dir=$1 target=$_SH_HBASE_DEPLOY/target pom=$_SH_HBASE_DEPLOY/shell/pom.xml file mvn
  file=$target/shell.classpath
  if [[ ! -s $file || $pom -nt $file ]]; then
    _sh_hbase_mvn || return 1
    read -r -a mvn <<<"${MVN:-mvn}"
    _sh_hbase_say "fetching HBase's shell; the first time that takes minutes ..."
    mkdir -p "$target"
    if ! "${mvn[@]}" -B -f "$pom" dependency:build-classpath "-Dmdep.outputFile=$file" >"$dir/logs/shell-build.log" 2>&1 </dev/null; then
      _sh_hbase_fail "Maven does not get the shell's jars; see $dir/logs/shell-build.log. Any shell of HBase 2.x does as well: hbase --config $dir/conf shell"
      return 1
    fi
  fi
  cat "$file"
}

# Starts a JVM with $CLASSPATH, which goes on when whoever started it ends: _sh_hbase_launch PIDFILE LOGDIR OUT ARG...
# A caller's array _SH_HBASE_WITHIN has a command that becomes java, in another namespace.
_sh_hbase_launch() {
  local pid_file=$1 logs=$2 out=$3 java options
  shift 3
  java=$(_sh_hbase_java) || return 1
  # Without an option the list is unset, as older versions of bash see it.
  read -r -a options <<<"${SH_HBASE_JAVA_OPTS:-}"
  # nohup: a closed terminal ends whoever started it, which then stops HBase in good order.
  nohup ${_SH_HBASE_WITHIN[@]+"${_SH_HBASE_WITHIN[@]}"} "$java" \
    "-Drowguard.log.dir=$logs" \
    -Djava.net.preferIPv4Stack=true \
    "@$_SH_HBASE_DEPLOY/lib/hbase-jdk17.args" \
    ${options[@]+"${options[@]}"} "$@" </dev/null >>"$out" 2>&1 &
  printf '%s\n' "$!" >"$pid_file"
  # Else bash reports its end on the console, with the whole command.
  disown "$!"
  _sh_hbase_await_java "$pid_file" "$logs" "$!"
}

# Whether the JVM of PIDFILE runs, be it stopped by a signal: _sh_hbase_alive PIDFILE LOGDIR
_sh_hbase_alive() {
  local pid args
  { read -r pid <"$1"; } 2>/dev/null || return 1
  # The number alone may by now be somebody else's, or that of a dead process nobody has waited for: neither has this argument.
  if [[ -d /proc/self ]]; then
    args=$(tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline") || return 1
  else
    args=$(ps -ww -p "$pid" -o args= 2>/dev/null) || return 1
  fi
  [[ $args == *"-Drowguard.log.dir=$2 "* ]]
}

# Waits until a process that was just begun is java, or gone: on a busy machine it is for a moment still a copy of this shell,
# which does not look as if HBase were running. _sh_hbase_await_java PIDFILE LOGDIR PID
_sh_hbase_await_java() {
  local began=$SECONDS
  while ! _sh_hbase_alive "$1" "$2" && kill -0 "$3" 2>/dev/null; do
    ((SECONDS - began < 60)) || return 0
    sleep 0.05
  done
}

# Whether it ended, waiting for it as many seconds: _sh_hbase_ended PIDFILE LOGDIR SECONDS
_sh_hbase_ended() {
  local began=$SECONDS
  while _sh_hbase_alive "$1" "$2"; do
    ((SECONDS - began < $3)) || return 1
    sleep 0.1
  done
}

# Asks the master to end the cluster; gives up asking after 60 s, or when CHECK fails: _sh_hbase_ask_to_stop DIR CHECK...
_sh_hbase_ask_to_stop() {
  local dir=$1 client began=$SECONDS
  shift
  sh_hbase_client "$dir" org.apache.hadoop.hbase.master.HMaster stop --shutDownCluster >"$dir/logs/stop.out" 2>&1 &
  client=$!
  while kill -0 "$client" 2>/dev/null; do
    if ((SECONDS - began >= 60)) || ! "$@"; then
      kill "$client" 2>/dev/null || true
      break
    fi
    sleep 0.1
  done
  wait "$client" 2>/dev/null
}

# Why HBase ended, as far as one line tells, ": ..." or nothing: why it aborted, else the last error in its log, else the first thing
# that java itself said. _sh_hbase_reason LOGDIR
_sh_hbase_reason() {
  local line
  line=$(grep -hs -m 1 ' ABORTING ' "$1/hbase.log" ||
    grep -hsE '^Caused by: |^[a-z0-9.]+\.[A-Z][A-Za-z]*(Exception|Error)\b| (ERROR|FATAL) |^Could not start ZK' \
      "$1/hbase.log" "$1/hbase.out" | tail -n 1 | grep . ||
    head -n 1 "$1/hbase.out" 2>/dev/null) || true
  line=${line#*\*\*\*\*\* }
  [[ -z $line ]] || printf ': %s' "${line:0:300}"
}
