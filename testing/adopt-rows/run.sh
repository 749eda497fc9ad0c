#!/usr/bin/env bash
# Writes golden rows for `rowguard adopt`, made by other systems' own code. --help says more.
set -euo pipefail
unset CDPATH # with which cd prints where it goes

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
read -r -a mvn <<<"${MVN:-mvn}"

usage() {
  cat <<'USAGE'
usage: testing/adopt-rows/run.sh >golden-rows-own.tsv

Fetches jars of systems that `rowguard adopt` knows, has their own classes make row keys of fixed
values, and prints these: a golden file of tools/command, golden-rows-own.tsv in its test resources.
Each run prints the same bytes. pom.xml says which jars: one directory per release, so that those of
different systems never meet. Takes a minute.

Environment: JAVA_HOME (JDK 17 or later), MVN (instead of mvn).
USAGE
}

fail() {
  printf 'run.sh: %s\n' "$1" >&2
  exit 1
}

# rows DIRECTORY CLASS: what the class prints with the jars of the directory.
rows() {
  local bin=${JAVA_HOME:+$JAVA_HOME/bin/} jars=$here/target/$1 classes=$here/target/classes-$1
  mkdir -p "$classes"
  "${bin}javac" -proc:none -Xlint:none -nowarn -d "$classes" -cp "$jars/*" \
    "$here/src/Rows.java" "$here/src/$2.java" 2>"$classes/javac.log" ||
    fail "$2 does not compile; see $classes/javac.log"
  printf '# %s, by its own code\n' "$1"
  "${bin}java" -cp "$jars/*:$classes" "$2" 2>"$classes/java.log" ||
    fail "$2 fails; see $classes/java.log"
}

case ${1:-} in
  '') ;;
  --help | -h)
    usage
    exit 0
    ;;
  *) fail "what is $1? testing/adopt-rows/run.sh --help says what there is" ;;
esac
"${mvn[@]}" -B -q -f "$here/pom.xml" generate-resources >&2 || fail "Maven does not get the jars"
printf '# Rows that systems made by their own code, by testing/adopt-rows/run.sh.\n'
printf '# system\tkind of table\tits numbers\trow\n'
rows atlas-0.8 Atlas
rows atlas-2.1.0 Atlas
rows geomesa-5.4.0 Geomesa
rows hbasewd-0.1.0 Hbasewd
rows hgraphdb-1.0.3 Hgraphdb
rows hugegraph-1.5.0 Hugegraph
rows kylin-2.6.6 Kylin
rows nutch-2.4 Nutch
rows opentsdb-2.4.0 Opentsdb
rows pinpoint-2.5.1 PinpointIndex
rows pinpoint-3.0.1 Pinpoint
rows yarn-timeline-3.4.2 YarnTimeline
