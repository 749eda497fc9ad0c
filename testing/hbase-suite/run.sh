#!/usr/bin/env bash
# Runs HBase's own client tests, unchanged, on plain tables or on salted ones. `testing/hbase-suite/run.sh --help` says more.
set -euo pipefail
unset CDPATH # with which cd prints where it goes

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
read -r -a mvn <<<"${MVN:-mvn}"
target=$here/target
build=1

usage() {
  cat <<'USAGE'
usage: testing/hbase-suite/run.sh [--no-build] plain|salted [CLASS...]

Builds Rowguard's client and runs classes of HBase's own tests, one after the other: on plain tables, or with SaltedConnection and a
salt for every table that the tests make. CLASS is a class of org.apache.hadoop.hbase.client, or a full name; without any, all of
classes.txt run, which takes an hour. The tests come in HBase's test jars from Maven Central.

Prints, for each class, how many tests ran and what failed. What is expected to fail stands in known-differences.tsv, with the reason.
Exit code 0: nothing else failed. 1: something did, or a class did not run to its end. 2: wrong arguments, or no build.

  --no-build   use what was built before
  --help       this text

Environment: JAVA_HOME (JDK 17 or later), MVN (instead of mvn), SUITE_SECONDS (the most that one class may take; 1500).
Reports and logs: testing/hbase-suite/target/reports.
USAGE
}

fail() {
  printf 'run.sh: %s\n' "$1" >&2
  exit 2
}

while [[ ${1:-} == --* ]]; do
  case $1 in
    --help) usage && exit 0 ;;
    --no-build) build=0 ;;
    *) fail "there is no option $1; see --help" ;;
  esac
  shift
done
(($# >= 1)) || { usage >&2 && exit 2; }
kind=$1
shift
[[ $kind == plain || $kind == salted ]] || fail "tables are plain or salted, not $kind"

if (($# == 0)); then
  mapfile -t classes < <(grep -v "^#" "$here/classes.txt")
  set -- "${classes[@]}"
fi

if ((build)); then
  "${mvn[@]}" -B -q -f "$root/pom.xml" -Phbase-suite -pl testing/hbase-suite -am -Dmaven.test.skip=true -Dspotless.check.skip package >&2 ||
    fail "the build failed"
fi
[[ -f $target/suite.classpath ]] || fail "nothing is built yet; run it without --no-build"

java=java
[[ -z ${JAVA_HOME:-} ]] || java=$JAVA_HOME/bin/java
reports=$target/reports
mkdir -p "$reports"
code=0
for class in "$@"; do
  name=${class##*.}
  report=$reports/$kind-$name.txt
  log=$reports/$kind-$name.log
  work=$(mktemp -d)
  rm -f "$report"
  # In a directory of its own: the tests write below the one where they run.
  (cd "$work" && exec timeout "${SUITE_SECONDS:-1500}" "$java" "@$root/deploy/lib/hbase-jdk17.args" -Xmx2g -XX:TieredStopAtLevel=1 \
    -cp "$target/classes/$kind:$target/classes:$(<"$target/suite.classpath")" io.rowguard.suite.SuiteRun \
    "$kind" "$here/known-differences.tsv" "$report" "$class") >"$log" 2>&1 || code=1
  rm -rf "$work"
  if [[ -f $report ]]; then
    cat "$report"
  else
    printf '%s on %s tables: did not run to its end; see %s\n' "$name" "$kind" "$log"
    code=1
  fi
done
exit "$code"
