#!/usr/bin/env bash
# Builds what a benchmark needs, runs it, and prints its report in Markdown. `testing/benchmarks/run.sh --help` says more.
set -euo pipefail
unset CDPATH # with which cd prints where it goes

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
read -r -a mvn <<<"${MVN:-mvn}"
read -r -a java_options <<<"${JAVA_OPTIONS:--Xmx4g}"
dir=
job=
rows=

usage() {
  cat <<'USAGE'
usage: testing/benchmarks/run.sh [--no-build] [--rows N] NAME >report.md

Builds Rowguard and its benchmarks, runs one, and prints to standard output the machine, the day, the JDK, HBase's version, and tables:
a file for testing/benchmarks/results, read in docs/internals/benchmarks.md.
Everything else goes to standard error.

  split-quality   how evenly regions are cut, on a mini-cluster with real keys and real sizes of rows (5 minutes)
  split-cost      what asking for a split point costs, with up to 1,000 store files and 100,000 index entries (2 minutes)
  boundaries      what the legal boundaries next to a key cost, with JMH (2 minutes)
  check           what the check of a row costs, with JMH, against regular expressions and constraints (4 minutes)
  load-cost       what it costs an operation that its region's load is counted, with JMH and on a mini-cluster (13 minutes)
  write-throughput
                  what a coprocessor leaves of a table's write throughput, on a region and a mini-cluster (5 minutes)
  pe              HBase's own PerformanceEvaluation, on a plain table, one that rejects and one that salts (20 minutes)
  groups          transactions of two rows by RowGroup, against single puts and checkAndMutate, on a mini-cluster (10 minutes)
  salt-writes     what it costs to let SaltedTable or the servers salt, on a mini-cluster (15 minutes)
  property-writes
                  what it costs to let a connection by property salt, on a mini-cluster (25 minutes)
  salt-scans      ordered scans of a million salted rows, on a mini-cluster (10 minutes)
  salt-chosen     a query over the buckets of a random salt, against one scan of one region, on a mini-cluster (15 minutes)
  salt-pressure   many writers on servers with too small a heap, one of which is slow, stands still, and is killed (40 minutes)
  salt-phoenix    SaltedTable against Apache Phoenix, which it fetches first, of as many buckets (10 minutes)
  phoenix-keys    no benchmark: golden vectors of Phoenix's keys, which a test of rowkey-layout reads (seconds)
  relayout-cost   what clients lose while a table goes from 16 to 64 buckets, on a mini-cluster (10 minutes)
  relayout-gap    how long a key is blocked by the steps of that, in a table of 64 regions (5 minutes)
  relayout-large  the commands of that on 10 million rows of a standalone HBase, and what plan says of it before (25 minutes; 6 GB)
  relayout-pace   clients beside a run of that, as fast as it goes and held to 20 % and 100 %, on a standalone HBase (9 minutes)
  relayout-verify what it costs a run of that to read back what has moved, on a mini-cluster (3 minutes)
  salt-spread     where writes of sequential ids go, also as pictures (1 minute)
  salt-hashes     how evenly hashes spread regular ids (seconds)

  --no-build      use what was built before
  --rows N        how many rows; relayout-large: default 10,000,000; relayout-pace: 5,000,000
  --help          this text

Environment: JAVA_HOME (JDK 17 or later), MVN (instead of mvn), JAVA_OPTIONS (instead of -Xmx4g; no blanks within one), TMPDIR (where
the tables are written: 2 GB, or as said above), SH_HBASE_HEAP (of the standalone HBase; 4g).
What HBase logs goes to testing/benchmarks/target/hbase-test.log. Let nothing else run on the machine meanwhile.
USAGE
}

fail() {
  printf 'run.sh: %s\n' "$1" >&2
  exit 1
}

build() {
  "${mvn[@]}" -B -q -f "$root/pom.xml" -pl testing/benchmarks -am -DskipTests -Dspotless.check.skip package >&2 ||
    fail "the build failed"
}

# Phoenix is no dependency of the build. What both it and HBase bring is taken from HBase: it comes last.
phoenix() {
  "${mvn[@]}" -B -q -f "$here/phoenix/pom.xml" dependency:build-classpath \
    "-Dmdep.outputFile=$here/target/phoenix.classpath" >&2 || fail "Maven does not get Phoenix"
}

clean_up() {
  local status=$?
  trap - EXIT INT TERM HUP
  [[ -z $job ]] || kill -KILL "$job" 2>/dev/null || true
  [[ ! -d $dir/hbase ]] || sh_hbase_discard "$dir/hbase" || true
  [[ -z $dir ]] || rm -rf "$dir"
  exit "$status"
}

# An HBase in a process of its own, for one that types commands.
standalone() {
  # shellcheck source=SCRIPTDIR/../../deploy/lib/standalone-hbase.sh
  . "$root/deploy/lib/standalone-hbase.sh"
  SH_HBASE_HEAP=${SH_HBASE_HEAP:-4g} sh_hbase_start "$dir/hbase" >&2 || fail "HBase does not start"
  sh_hbase_wait "$dir/hbase" >&2 || fail "HBase does not start"
}

measure() {
  local java=java classpath main=(io.rowguard.benchmarks.Main "$1")
  [[ $1 != phoenix-keys ]] || main=(io.rowguard.benchmarks.salt.PhoenixKeys)
  [[ -z ${JAVA_HOME:-} ]] || java=$JAVA_HOME/bin/java
  trap clean_up EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  trap 'exit 129' HUP
  dir=$(mktemp -d "${TMPDIR:-/tmp}/rowguard-benchmark.XXXXXX")
  cd "$here"
  classpath=$here/target/classes:$(cat "$here/target/benchmarks.classpath")
  [[ $1 != *phoenix* ]] || classpath+=:$(cat "$here/target/phoenix.classpath")
  if [[ $1 == relayout-large || $1 == relayout-pace ]]; then
    standalone
    classpath=$dir/hbase/conf:$classpath
    java_options+=("-Drowguard.launcher=$root/deploy/rowguard" "-Drowguard.site=$dir/hbase/conf/hbase-site.xml")
    [[ -z $rows ]] || java_options+=("-Drowguard.benchmark.rows=$rows")
  fi
  [[ $1 != pe ]] || java_options+=("-Drowguard.benchmark.logs=file:$root/deploy/conf/log4j-tools.properties")
  java_options+=("-Drowguard.benchmark.commit=$(git -C "$root" describe --always --dirty 2>/dev/null || printf 'of no commit')")
  CLASSPATH=$classpath "$java" \
    "@$root/deploy/lib/hbase-jdk17.args" \
    -Dlog4j.configuration=log4j-rowguard-test.properties \
    "-Djava.io.tmpdir=$dir" \
    "-Dtest.build.data.basedirectory=$dir/data" \
    ${java_options[@]+"${java_options[@]}"} \
    "${main[@]}" &
  job=$!
  wait "$job" || {
    job=
    fail "the benchmark failed; see testing/benchmarks/target/hbase-test.log"
  }
  job=
}

main() {
  local build=yes name=
  while (($# > 0)); do
    case $1 in
      --no-build) build=no ;;
      --rows)
        [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || fail "--rows needs a number"
        rows=$2
        shift
        ;;
      --help | -h)
        usage
        exit 0
        ;;
      split-quality | split-cost | boundaries | check | load-cost | write-throughput | pe | groups | salt-writes | property-writes | salt-scans | salt-chosen | salt-pressure | salt-phoenix | phoenix-keys | relayout-cost | relayout-gap | relayout-large | relayout-pace | relayout-verify | salt-spread | salt-hashes) name=$1 ;;
      *) fail "what is $1? testing/benchmarks/run.sh --help lists the benchmarks" ;;
    esac
    shift
  done
  [[ -n $name ]] || fail "which benchmark? testing/benchmarks/run.sh --help lists them"
  [[ $build == no ]] || build
  [[ -r $here/target/benchmarks.classpath ]] || fail "nothing is built; leave out --no-build"
  [[ $name != *phoenix* || $build == no && -r $here/target/phoenix.classpath ]] || phoenix
  measure "$name"
}

main "$@"
