#!/usr/bin/env bash
# Lets HBase's own torture tests loose on guarded tables, beside one that nothing guards. `testing/soak/torture.sh --help` says more.
set -euo pipefail
unset CDPATH # with which cd prints where it goes

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
read -r -a mvn <<<"${MVN:-mvn}"
work=$here/target/torture
tool=
rows=
kinds=
faults=no
hbase=
build=yes
dir=
own=
java=java
job=
striking=

usage() {
  cat <<'USAGE'
usage: testing/soak/torture.sh [OPTION...] linked-list|load-test|performance

Builds Rowguard, starts deploy/cluster.sh, and runs one of the tools with which HBase's developers look for lost rows, on one table after
the other. Then reads all that is stored, and holds it to what the tool has written. Prints a row per table.

  linked-list    IntegrationTestBigLinkedList: rows that name each other in rings, in 16 random bytes; a job looks for holes (REFERENCED: how
                 many rows are there and named by another one; UNDEFINED: named, but lost)
  load-test      LoadTestTool: writes, reads that check every value, updates; keys begin with the MD5 of a number
  performance    PerformanceEvaluation: writes, reads, a scan, and counters and appends by four clients, of which each has to be in the sum

  plain          a table without anything of Rowguard
  guarded        one with the layout that the tool's keys have by themselves, in mode reject
  salted         one with a salt, which the tool's connection puts in front of its keys: hbase.client.connection.impl
  bare           one in salt mode, where the servers do: HBase's own connection

  --tables KIND,...   which tables; default: plain,guarded,salted, of load-test, which needs HBase's own connection, plain,guarded,bare;
                      not bare with linked-list, which scans, and performance, which counts
  --rows N            how many rows; default 100000, of load-test 20000. Of linked-list a multiple of 50, of performance one of 4
  --faults            kill a region server now and then (SIGKILL), and start it again
  --dir DIR           a cluster of deploy/cluster.sh that runs; default: one of its own, which goes afterwards
  --hbase VERSION     2.5, 2.6, 3.0, or one as Maven names it, of the cluster and the tools; default: the one that Rowguard is built with
  --no-build          use what was built before
  --help              this text

Exit code 0: nothing lost, doubled or wrong. 1: something was; logs and data of the cluster stay. 2: wrong arguments, or no build.
Environment: JAVA_HOME (JDK 17 to 23), MVN (instead of mvn), TMPDIR (where the cluster is; 3 GB), CLUSTER_HEAP, TORTURE_SECONDS (the most
that one run of a tool may take; 1800). What the tools say: testing/soak/target/torture.
USAGE
}

fail() {
  printf 'torture: %s\n' "$1" >&2
  exit 2
}

say() {
  printf 'torture: %s\n' "$1" >&2
}

cluster() {
  "$root/deploy/cluster.sh" --dir "$dir" "$@"
}

# Its whole group: what it has started, too.
end_group() {
  [[ -z $1 ]] || kill -KILL -- "-$1" 2>/dev/null || true
}

clean_up() {
  local status=$?
  trap - EXIT
  trap '' INT TERM HUP
  end_group "$job"
  end_group "$striking"
  if [[ -n $own && -n $dir ]]; then
    cluster stop >/dev/null 2>&1 || true
    if ((status == 1)); then
      say "logs and data of the cluster are in $dir"
    else
      rm -rf "$dir"
    fi
  fi
  exit "$status"
}

# Runs a command to its end, or to that of this script: alone LOG COMMAND...
alone() {
  local log=$1 status=0
  shift
  set -m
  "$@" >>"$log" 2>&1 </dev/null &
  job=$!
  set +m
  wait "$job" || status=$?
  job=
  return "$status"
}

# Each kind of server that is in a state: servers KIND STATE
servers() {
  awk -v kind="^$1" -v state="$2" '$1 ~ kind && $2 == state { print $1 }' < <(cluster status || true)
}

# Waits so many seconds; returns 1 when the tool has ended.
rest() {
  local second
  for ((second = 0; second < $1; second++)); do
    [[ ! -e $work/over ]] || return 1
    sleep 1
  done
}

# Kills region servers until the tool has ended, a line in a file for each: strike FILE
strike() {
  local name names
  while rest $((5 + RANDOM % 20)); do
    mapfile -t names < <(servers region-server- running)
    ((${#names[@]} > 1)) || continue
    name=${names[RANDOM % ${#names[@]}]}
    cluster kill "$name" && printf '%s\n' "$name" >>"$1"
    rest $((5 + RANDOM % 15)) || true
    heal || true
  done
}

# Starts all region servers that are down; in a group of their own, so that they outlive this script.
heal() {
  local name
  for name in $(servers region-server- dead); do
    alone "$work/strikes.log" cluster add "$name" || return 1
  done
}

# io.rowguard.soak.torture.TortureTable
table() {
  "$java" "@$root/deploy/lib/hbase-jdk17.args" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Djava.net.preferIPv4Stack=true \
    -Dlog4j.configuration=log4j-client.properties \
    -cp "$dir/conf:$here/target/classes:$(<"$here/target/soak.classpath"):$(<"$dir/conf/classpath")" \
    io.rowguard.soak.torture.TortureTable "$@"
}

# The counts that the tool itself prints in the end, the last of each: counts LOG
counts() {
  case $tool in
    linked-list)
      sed -n -E 's/^[[:space:]]*((REFERENCED|UNREFERENCED|UNDEFINED|EXTRAREFERENCES|LOST_FAMILIES)=[0-9]+)$/\1/p' "$1"
      ;;
    load-test) sed -n -E 's/^Failed to (write|update) keys: ([0-9]+)$/failed_\1s=\2/p' "$1" ;;
  esac | awk -F = '!($1 in last) { names[++n] = $1 } { last[$1] = $0 } END { for (i = 1; i <= n; i++) printf "%s ", last[names[i]] }'
}

# Runs the tool on a table and looks at it: torture KIND. Prints its row. Returns 1 if something is wrong.
torture() {
  local kind=$1 name=torture_${tool//-/_}_$1 log=$work/$tool-$1.log strikes=$work/$tool-$1.strikes seconds line words
  local verdict=passed seen='' kills=0 began
  rm -f "$log" "$strikes" "$work/over"
  say "$tool on a $kind table ..."
  # Wrong arguments end all, before a table is made.
  table commands "$tool" "$kind" "$name" "$rows" >"$work/commands" || exit 2
  table create "$tool" "$kind" "$name" "$rows" 2>>"$log" || {
    verdict="FAILED: the table cannot be made"
    : >"$work/commands"
  }
  if [[ $faults == yes ]]; then
    set -m
    strike "$strikes" >>"$work/strikes.log" 2>&1 </dev/null &
    striking=$!
    set +m
  fi
  began=$SECONDS
  while [[ $verdict == passed ]] && IFS= read -r line <&3; do
    read -r -a words <<<"$line"
    printf '\n%s\n' "$line" >>"$log"
    alone "$log" timeout "${TORTURE_SECONDS:-1800}" "$java" "@$root/deploy/lib/hbase-jdk17.args" -Xmx1g -XX:+UseSerialGC \
      -XX:TieredStopAtLevel=1 -Djava.net.preferIPv4Stack=true -Dlog4j.configuration=log4j-tools.properties -Drowguard.log.level=INFO \
      "-Djava.io.tmpdir=$dir/tmp" -cp "$dir/conf:$tools:$(<"$here/target/soak.classpath")" "${words[@]}" ||
      verdict="FAILED: the tool ends with $?"
  done 3<"$work/commands"
  seconds=$((SECONDS - began))
  if [[ $faults == yes ]]; then
    touch "$work/over"
    wait "$striking" || verdict="FAILED: the faults end with $?; see $work/strikes.log"
    striking=
    [[ ! -e $strikes ]] || kills=$(wc -l <"$strikes")
    ((kills > 0)) || verdict=${verdict/#passed/FAILED: no server was killed, more rows would take longer}
    heal || verdict="FAILED: a server does not come back"
  fi
  seen=$(table look "$tool" "$kind" "$name" "$rows" 2>>"$log") || verdict=${verdict/#passed/FAILED: rows are lost or wrong}
  [[ $faults == no ]] || seen+=" kills=$kills"
  printf '| %s | %s | %s | %d | %s |\n' "$tool" "$kind" "$(counts "$log")${seen:-nothing seen}" "$seconds" "$verdict" | sed 's/|  */| /g'
  [[ $verdict == passed ]] || {
    say "see $log"
    return 1
  }
}

main() {
  local jar jars version each profile=() status=0
  while (($# > 0)); do
    case $1 in
      --rows | --tables | --dir | --hbase)
        [[ -n ${2:-} ]] || fail "$1 needs a value"
        case $1 in
          --rows)
            [[ $2 =~ ^[1-9][0-9]{0,7}$ ]] || fail "--rows needs a number from 1 to 99999999"
            rows=$2
            ;;
          --tables) kinds=$2 ;;
          --dir) dir=$2 ;;
          --hbase) hbase=$2 ;;
        esac
        shift
        ;;
      --faults) faults=yes ;;
      --no-build) build=no ;;
      --help | -h)
        usage
        exit 0
        ;;
      linked-list | load-test | performance)
        [[ -z $tool ]] || fail "one tool at a time, not $tool and $1"
        tool=$1
        ;;
      *) fail "what is $1? testing/soak/torture.sh --help lists tools and options" ;;
    esac
    shift
  done
  case $tool in
    linked-list | performance) kinds=${kinds:-plain,guarded,salted} rows=${rows:-100000} ;;
    load-test) kinds=${kinds:-plain,guarded,bare} rows=${rows:-20000} ;;
    *) fail "which tool? linked-list, load-test or performance" ;;
  esac
  for each in ${kinds//,/ }; do
    case $tool-$each in
      linked-list-bare | performance-bare) fail "in salt mode $tool cannot work; see --help" ;;
      *-plain | *-guarded | *-salted | *-bare) ;;
      *) fail "there is no table $each; see --help" ;;
    esac
  done
  if [[ -z $dir ]]; then
    own=yes
  else
    dir=$(cd "$dir" 2>/dev/null && pwd) || fail "there is no such directory of a cluster"
  fi
  if [[ $build == yes ]]; then
    "${mvn[@]}" -B -q -f "$root/pom.xml" -pl testing/soak,deploy -am -Dmaven.test.skip=true -Dspotless.check.skip package >&2 ||
      fail "the build failed"
  fi
  # shellcheck source=SCRIPTDIR/../../deploy/lib/cluster-hbase.sh
  . "$root/deploy/lib/cluster-hbase.sh"
  jar=$(sh_hbase_server_jar "$root/deploy/target")
  [[ -r $here/target/soak.classpath && -n $jar ]] || fail "nothing is built; leave out --no-build"
  jars=$(<"$root/deploy/target/standalone.classpath")
  if [[ -n $hbase ]]; then
    jars=$(sh_hbase_jars "$(sh_hbase_version "$hbase")") || fail "there is no HBase $hbase"
  fi
  version=$(tr ':' '\n' <<<"$jars" | sed -n 's|.*/hbase-server-\([0-9][^/]*\)\.jar$|\1|p')
  tools=$here/target/torture-$version-$tool.classpath
  if [[ $build == yes || ! -s $tools ]]; then
    [[ $tool != linked-list ]] || profile=(-Plinked-list)
    "${mvn[@]}" -B -f "$here/torture/pom.xml" "-Dhbase.version=$version" ${profile[@]+"${profile[@]}"} dependency:build-classpath \
      "-Dmdep.outputFile=$tools" >"$tools.log" 2>&1 </dev/null || fail "Maven does not get $tool of HBase $version; see $tools.log"
  fi
  tools=$(<"$tools")
  [[ -z ${JAVA_HOME:-} ]] || java=$JAVA_HOME/bin/java
  mkdir -p "$work"
  # Tools leave files below the directory where they run.
  cd "$work"
  trap clean_up EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  trap 'exit 129' HUP
  if [[ -z $own ]]; then
    cluster status >&2 || fail "not all of the cluster runs; deploy/cluster.sh start it"
  else
    # Else cluster.sh would look whether there is something to build.
    export SH_HBASE_CLASSPATH=$jar:$jars
    dir=$(mktemp -d "${TMPDIR:-/tmp}/rowguard-torture.XXXXXX")
    cluster start >&2 || exit 1
  fi
  printf '| tool | table | counts | seconds | verdict |\n|---|---|---|---:|---|\n'
  for each in ${kinds//,/ }; do
    torture "$each" || status=1
  done
  return "$status"
}

main "$@"
