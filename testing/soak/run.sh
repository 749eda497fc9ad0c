#!/usr/bin/env bash
# Starts a cluster of real processes, lets clients work on it while servers die, stand still, are cut off and come back, and says whether
# anything was lost, doubled or wrong. `testing/soak/run.sh --help` says more.
set -euo pipefail
unset CDPATH # with which cd prints where it goes

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
read -r -a mvn <<<"${MVN:-mvn}"
minutes=10
seed=$RANDOM
faults=
hbase=
upgrade_from=
build=yes
dir=
job=

usage() {
  cat <<'USAGE'
usage: testing/soak/run.sh [--minutes N] [--seed S] [--faults NAME,...] [--hbase VERSION]
                           [--upgrade-from VERSION] [--no-build]

Builds Rowguard, starts deploy/cluster.sh, and has clients of all kinds work on three guarded tables: SaltedTable and connections by
property on a table whose layout changes to and fro, bare keys in salt mode, and a table of groups that is split by size and load.
Meanwhile faults happen, one line each. In the end one line says PASSED or FAILED; exits with 0 or 1. The history is kept as it happens in
testing/soak/target/history-SEED, the cluster only if something was wrong. A client or the nemesis that stops, a fault that never succeeds
in a whole round, and a table of groups that HBase never splits by itself fail the soak.

  --minutes N         how long clients work; default 10
  --seed S            of all random choices; default: another each time
  --faults NAME,...   kill-region-server, kill-master, kill-datanode, pause-region-server, pause-master, pause-datanode, cut-region-server,
                      part-servers, slow-region-server, flap, full-disk, rolling-restart, without-jar, split, merge, move, compact, balance;
                      default: all.
                      Those from cut-region-server to full-disk need Linux and root; by default they are left out where they cannot be,
                      and it says so
  --hbase VERSION     2.5, 2.6, 3.0, or one as Maven names it; default: the one that Rowguard is built with
  --upgrade-from VERSION
                      begin with this HBase, which clients keep; the first rolling-restart brings the servers to the other one
  --no-build          use what was built before
  --help              this text

Environment: JAVA_HOME (JDK 17 to 23), MVN (instead of mvn), TMPDIR (where the cluster is; 2 GB), CLUSTER_HEAP.
USAGE
}

fail() {
  printf 'soak: %s\n' "$1" >&2
  exit 2
}

clean_up() {
  local status=$?
  trap - EXIT
  trap '' INT TERM HUP
  # Its whole group: commands that it has started, too.
  [[ -z $job ]] || kill -KILL -- "-$job" 2>/dev/null || true
  if [[ -n $dir ]]; then
    "$root/deploy/cluster.sh" --dir "$dir" stop >/dev/null 2>&1 || true
    if pgrep -f -- "-Drowguard.log.dir=$dir/" >/dev/null; then
      printf 'soak: FAILED: processes are left; pgrep -f %s lists them\n' "$dir" >&2
      status=1
    elif [[ -e $dir/network || -e $dir/disk ]]; then
      printf 'soak: FAILED: what was made of a network or a disk is left; deploy/cluster.sh --dir %s stop says why\n' "$dir" >&2
      status=1
    fi
    if ((status == 1)); then
      printf 'soak: logs and data of the cluster are in %s\n' "$dir" >&2
    else
      rm -rf "$dir"
    fi
  fi
  exit "$status"
}

main() {
  local java=java jar jars from='' why cluster=() arguments=() soak status=0
  while (($# > 0)); do
    case $1 in
      --minutes | --seed | --faults | --hbase | --upgrade-from)
        [[ -n ${2:-} ]] || fail "$1 needs a value"
        case $1 in
          --minutes)
            [[ $2 =~ ^[1-9][0-9]{0,3}$ ]] || fail "--minutes needs a number from 1 to 9999"
            minutes=$2
            ;;
          --seed)
            [[ $2 =~ ^[0-9]{1,18}$ ]] || fail "--seed needs a number"
            seed=$2
            ;;
          --faults) faults=$2 ;;
          --hbase) hbase=$2 ;;
          --upgrade-from) upgrade_from=$2 ;;
        esac
        shift
        ;;
      --no-build) build=no ;;
      --help | -h)
        usage
        exit 0
        ;;
      *) fail "what is $1? testing/soak/run.sh --help lists the options" ;;
    esac
    shift
  done
  if [[ $build == yes ]]; then
    "${mvn[@]}" -B -q -f "$root/pom.xml" -pl testing/soak,deploy -am -Dmaven.test.skip=true -Dspotless.check.skip package >&2 ||
      fail "the build failed"
  fi
  # shellcheck source=SCRIPTDIR/../../deploy/lib/cluster-hbase.sh
  . "$root/deploy/lib/cluster-hbase.sh"
  jar=$(sh_hbase_server_jar "$root/deploy/target")
  [[ -r $here/target/soak.classpath && -n $jar ]] || fail "nothing is built; leave out --no-build"
  jars=$(cat "$root/deploy/target/standalone.classpath")
  if [[ -n $hbase ]]; then
    jars=$(sh_hbase_jars "$(sh_hbase_version "$hbase")") || fail "there is no HBase $hbase"
  fi
  if [[ -n $upgrade_from ]]; then
    [[ -z $faults || ,$faults, == *,rolling-restart,* ]] || fail "--upgrade-from needs the fault rolling-restart, which upgrades"
    from=$(sh_hbase_jars "$(sh_hbase_version "$upgrade_from")") || fail "there is no HBase $upgrade_from"
    [[ $from != "$jars" ]] || fail "--upgrade-from needs another HBase than --hbase"
  fi
  # Else cluster.sh would look whether there is something to build.
  export SH_HBASE_CLASSPATH=$jar:$jars
  [[ -z ${JAVA_HOME:-} ]] || java=$JAVA_HOME/bin/java
  [[ -z $faults ]] || arguments=(--faults "$faults")
  if why=$(cluster_network_missing); then
    arguments+=(--no-network "$why")
  else
    cluster+=(--network)
  fi
  if why=$(cluster_disk_missing); then
    arguments+=(--no-small-disk "$why")
  else
    cluster+=(--small-disk)
  fi
  trap clean_up EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  trap 'exit 129' HUP
  dir=$(mktemp -d "${TMPDIR:-/tmp}/rowguard-soak.XXXXXX")
  arguments+=(--minutes "$minutes" --seed "$seed" --cluster "$root/deploy/cluster.sh" --dir "$dir" --history "$here/target/history-$seed")
  CLASSPATH=$dir/conf:$here/target/classes:$(cat "$here/target/soak.classpath"):$jar:${from:-$jars}
  export CLASSPATH
  soak=("$java" "@$root/deploy/lib/hbase-jdk17.args" -Xmx768m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:+ExitOnOutOfMemoryError
    -Djava.net.preferIPv4Stack=true -Dlog4j.configuration=log4j-client.properties "-Djava.io.tmpdir=$dir/tmp" io.rowguard.soak.Soak)
  # A start takes a while; what is wrong with these options is said before.
  "${soak[@]}" check "${arguments[@]}" || exit 2
  SH_HBASE_CLASSPATH=$jar:${from:-$jars} "$root/deploy/cluster.sh" --dir "$dir" ${cluster[@]+"${cluster[@]}"} start || exit 1
  set -m
  "${soak[@]}" "${arguments[@]}" 2>"$dir/logs/soak.err" </dev/null &
  job=$!
  set +m
  wait "$job" || status=$?
  job=
  if ((status == 2)); then
    cat "$dir/logs/soak.err" >&2
  elif ((status > 1)); then
    # It has not come to a verdict.
    printf 'soak: FAILED: the process of clients, nemesis and checker ended with status %d; see %s\n' "$status" "$dir/logs/soak.err" >&2
    status=1
  elif ((status == 0)) && [[ -n $from ]] && ! is_upgraded; then
    printf 'soak: FAILED: not all servers were upgraded from %s; --minutes N gives them more time\n' "$upgrade_from" >&2
    status=1
  fi
  return "$status"
}

is_upgraded() {
  local version
  version=$(sh_hbase_version "$upgrade_from")
  ! grep -qxF "$version" "$dir"/servers/master-*.version "$dir"/servers/region-server-*.version
}

main "$@"
