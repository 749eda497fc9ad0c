#!/usr/bin/env bash
# Runs programs of others, unchanged, on a plain table and on a salted one. `testing/twins/run.sh --help` says more.
set -euo pipefail
unset CDPATH # with which cd prints where it goes

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
read -r -a mvn <<<"${MVN:-mvn}"
target=$here/target
work=$target/work
build=1

usage() {
  cat <<'USAGE'
usage: testing/twins/run.sh [--no-build] [PROGRAM...]

Builds Rowguard's client, starts a cluster without anything of Rowguard, and runs each PROGRAM twice, unchanged: on a plain table, and on
a salted one with the two properties that name Rowguard's connections. Prints what both have seen, and whether it is the same: what the
program prints, but for times, and the rows of its tables afterwards, in their order.

  rowcounter    RowCounter, of all rows and of a range
  export        Export, and Import into another table
  copytable     CopyTable from a plain table, and from there to another plain one
  importtsv     ImportTsv, which writes
  bulkload      ImportTsv to HFiles, and completebulkload; on a salted table with HBase's own connection and Rowguard's mapper
  pe            PerformanceEvaluation: writes, reads, scans, counters and conditions, with Table and with AsyncTable
  ltt           LoadTestTool: writes, updates, and reads that check what they read
  shell         HBase's shell: put, get, scan, count, incr, append, delete
  spark         Spark SQL over hbase-spark: reads all, reads a range of rows, writes
  flink         a job of Flink's with the sink of its connector, flink-connector-hbase-2.2
  flink-async   the asynchronous lookup of that connector
  flink-lookup  its synchronous lookup

Without PROGRAM: all of them. They come from Maven Central. programs.tsv says which are known not to work on salted tables, and why.
Exit code 0: all the same, or known. 1: something differs, a program failed, or one works that is known not to. 2: wrong arguments, or no
build.

  --no-build   use what was built before
  --help       this text

Environment: JAVA_HOME (JDK 17 or later), MVN (instead of mvn). Logs and what was seen: testing/twins/target/work.
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
# Of each program, why it does not work on salted tables, and the words of its failure; or nothing.
declare -A known=() failure=()
all=()
while IFS=$'\t' read -r program _ reason words; do
  [[ $program != \#* ]] || continue
  all+=("$program")
  [[ $reason == - ]] || known[$program]=$reason failure[$program]=$words
done <"$here/programs.tsv"

programs=("$@")
((${#programs[@]})) || programs=("${all[@]}")
for program in "${programs[@]}"; do
  [[ " ${all[*]} " == *" $program "* ]] || fail "there is no program $program; see --help"
done

java=java
[[ -z ${JAVA_HOME:-} ]] || java=$JAVA_HOME/bin/java
mkdir -p "$target"

# Class paths that are not those of the build: class_path FILE POM GOAL...
class_path() {
  local file=$target/$1.classpath pom=$2
  shift 2
  "${mvn[@]}" -B -q -f "$pom" "-Dmdep.outputFile=$file" "$@" dependency:build-classpath >"$file.log" 2>&1 || fail "Maven fails; see $file.log"
}

if ((build)); then
  "${mvn[@]}" -B -q -f "$root/pom.xml" -Ptwins -pl testing/twins -am -Dmaven.test.skip=true -Dspotless.check.skip package >&2 ||
    fail "the build failed"
  [[ " ${programs[*]} " != *" shell "* ]] || class_path shell "$root/deploy/shell/pom.xml"
  [[ " ${programs[*]} " != *" spark "* ]] || class_path spark "$here/spark/pom.xml" compile
  [[ " ${programs[*]} " != *" flink"* ]] || class_path flink "$here/flink/pom.xml" compile
fi
[[ -f $target/twins.classpath ]] || fail "nothing is built yet; run it without --no-build"
twins=$target/classes:$(<"$target/twins.classpath")

# Rowguard's client alone, for programs that bring their own HBase.
client=
for module in client/salted-table core/rowkey-layout core/routing core/config core/readdressing; do
  client=$client:$root/$module/target/classes
done

rm -rf "$work"
mkdir -p "$work/logs"
quiet=-Dlog4j.configuration=log4j-client.properties
run_java() {
  # A program that hangs has failed.
  timeout 300 "$java" "@$root/deploy/lib/hbase-jdk17.args" -Xmx1g -XX:TieredStopAtLevel=1 -Djava.net.preferIPv4Stack=true "$@"
}
(cd "$work" && exec "$java" "@$root/deploy/lib/hbase-jdk17.args" -Xmx2g -XX:TieredStopAtLevel=1 -Djava.net.preferIPv4Stack=true -cp "$twins" \
  io.rowguard.twins.TwinCluster "$work" >"$work/logs/cluster.log" 2>&1) &
cluster=$!
end() {
  kill "$cluster" 2>/dev/null || true
  wait "$cluster" 2>/dev/null || true
}
trap end EXIT
printf 'starting a cluster ...\n' >&2
until [[ -f $work/salted/hbase-site.xml ]]; do
  kill -0 "$cluster" 2>/dev/null || fail "the cluster did not start; see $work/logs/cluster.log"
  sleep 1
done

# table KIND COMMAND ARG...: io.rowguard.twins.TwinTable
table() {
  local kind=$1
  shift
  run_java "$quiet" -cp "$work/$kind:$root/deploy/conf:$twins" io.rowguard.twins.TwinTable "$@" 2>>"$log"
}

# tool KIND CLASS: io.rowguard.twins.ToolCommands
tool() {
  run_java "$quiet" -cp "$work/$1:$root/deploy/conf:$twins" io.rowguard.twins.ToolCommands "$2" 2>>"$log"
}

# Each program: KIND TABLE; prints what it has seen.
run_rowcounter() {
  table "$1" create "$2" f "$1"
  table "$1" fill "$2" f 400
  tool "$1" org.apache.hadoop.hbase.mapreduce.RowCounter <<COMMANDS
$2 --expectedCount=400
$2 --range=user05,user12|0003 --expectedCount=143
COMMANDS
}

run_export() {
  table "$1" create "$2" f "$1"
  table "$1" fill "$2" f 400
  table "$1" create "$2_read" f "$1"
  tool "$1" org.apache.hadoop.hbase.mapreduce.Export <<<"$2 file:$work/files/$2"
  tool "$1" org.apache.hadoop.hbase.mapreduce.Import <<<"$2_read file:$work/files/$2"
  table "$1" rows "$2_read" cells
  table "$1" stored "$2_read" "$1"
}

run_copytable() {
  table "$1" create "$2_from" f plain
  table "$1" fill "$2_from" f 400
  table "$1" create "$2" f "$1"
  table "$1" create "$2_back" f plain
  tool "$1" org.apache.hadoop.hbase.mapreduce.CopyTable <<COMMANDS
--new.name=$2 $2_from
--new.name=$2_back $2
COMMANDS
  table "$1" rows "$2" cells
  table "$1" rows "$2_back" cells
}

# Lines for ImportTsv, in a directory: lines TABLE
lines() {
  local i
  mkdir -p "$work/files/$1.lines"
  for ((i = 0; i < 400; i++)); do
    printf 'user%02d|%04d\titem-%d\t%d\n' "$((i / 20))" "$((i % 20))" "$i" "$((i * 7 % 100))"
  done >"$work/files/$1.lines/lines.tsv"
}

tsv=-Dimporttsv.columns=HBASE_ROW_KEY,f:name,f:price
run_importtsv() {
  table "$1" create "$2" f "$1"
  lines "$2"
  tool "$1" org.apache.hadoop.hbase.mapreduce.ImportTsv <<<"$tsv $2 file:$work/files/$2.lines"
  table "$1" rows "$2" cells
}

run_bulkload() {
  local own=
  [[ $1 == plain ]] || own="-Dhbase.client.connection.impl=org.apache.hadoop.hbase.client.ConnectionImplementation
    -Dhbase.client.async.connection.impl=org.apache.hadoop.hbase.client.AsyncConnectionImpl"
  own=${own//$'\n'/ }
  table "$1" create "$2" f "$1"
  lines "$2"
  # Its arguments are not the same.
  tool "$1" org.apache.hadoop.hbase.mapreduce.ImportTsv >>"$log" <<COMMANDS
$own ${own:+-Dimporttsv.mapper.class=io.rowguard.mapreduce.SaltedTsvMapper} $tsv -Dimporttsv.bulk.output=file:$work/files/$2 $2 file:$work/files/$2.lines
COMMANDS
  tool "$1" org.apache.hadoop.hbase.tool.BulkLoadHFilesTool >>"$log" <<<"$own file:$work/files/$2 $2"
  table "$1" rows "$2" cells
}

run_pe() {
  local options="--nomapred --rows=300 --table=$2"
  table "$1" create "$2" info0 "$1"
  tool "$1" org.apache.hadoop.hbase.PerformanceEvaluation <<COMMANDS
$options sequentialWrite 2
$options randomWrite 1
$options randomRead 1
$options --multiGet=10 randomRead 1
$options sequentialRead 1
$options scan 1
$options scanRange100 1
$options increment 1
$options append 1
$options checkAndMutate 1
$options checkAndPut 1
$options asyncSequentialWrite 1
$options asyncRandomRead 1
$options asyncScan 1
COMMANDS
  # Values are random, so sizes only.
  table "$1" rows "$2" sizes
}

run_ltt() {
  table "$1" create "$2" test_cf "$1"
  tool "$1" org.apache.hadoop.hbase.util.LoadTestTool <<COMMANDS
-tn $2 -skip_init -num_keys 300 -write 3:64:4
-tn $2 -skip_init -num_keys 300 -multiput -write 3:64:2 -start_key 300
-tn $2 -skip_init -num_keys 300 -update 30:2
-tn $2 -skip_init -num_keys 300 -read 100:4
-tn $2 -skip_init -num_keys 300 -read 100:2 -multiget_batchsize 10
COMMANDS
  table "$1" rows "$2" sizes
}

run_shell() {
  table "$1" create "$2" f "$1"
  table "$1" fill "$2" f 100
  sed "s/TABLE/$2/g" "$here/shell/commands.rb" |
    run_java "$quiet" --add-opens java.base/java.io=ALL-UNNAMED -cp "$work/$1:$root/deploy/conf$client:$(<"$target/shell.classpath")" \
      org.jruby.Main -X+O uri:classloader:/jar-bootstrap.rb -n 2>>"$log" | sed -E '/^Took /d; s/,? timestamp=[^,]*//'
  table "$1" rows "$2" cells
}

run_spark() {
  table "$1" create "$2" f "$1"
  table "$1" fill "$2" f 300
  run_java "@$here/spark/jdk17.args" -cp "$work/$1:$here/spark/target/classes$client:$(<"$target/spark.classpath")" \
    io.rowguard.twins.SparkTwin "$2" 2>>"$log"
  table "$1" rows "$2" cells
}

run_flink() {
  table "$1" create "$2" f "$1"
  table "$1" fill "$2" f 500
  flink "$1" sink "$2"
  table "$1" rows "$2" cells
}

run_flink-async() {
  table "$1" create "$2" f "$1"
  table "$1" fill "$2" f 100
  flink "$1" async-lookup "$2"
}

run_flink-lookup() {
  table "$1" create "$2" f "$1"
  table "$1" fill "$2" f 100
  flink "$1" lookup "$2"
}

# flink KIND COMMAND TABLE: io.rowguard.twins.FlinkTwin
flink() {
  run_java -cp "$work/$1:$here/flink/target/classes$client:$(<"$target/flink.classpath")" io.rowguard.twins.FlinkTwin "$2" "$3" 2>>"$log"
}

# Keeps in a file what a program has seen; prints how many rows are stored afterwards: see KIND TABLE FILE
see() {
  "run_$program" "$1" "$2" | sed "s/$2/TABLE/g" >"$3"
  table "$1" stored "$2" "$1"
}

code=0
lines=()
for program in "${programs[@]}"; do
  results=()
  for kind in plain salted; do
    log=$work/logs/$program-$kind.log
    printf '%s on a %s table ...\n' "$program" "$kind" >&2
    # In a condition errexit would not hold inside.
    set +e
    rows=$(set -e && see "$kind" "twin_${program//-/_}_$kind" "$work/$program-$kind.txt")
    status=$?
    set -e
    if ((status == 0)); then
      results+=("$rows rows")
    elif [[ $kind == salted && -n ${known[$program]:-} ]] && grep -qF "${failure[$program]}" "$log"; then
      results+=(known)
    else
      printf 'it failed; see %s\n' "$log" >&2
      results+=(failed)
    fi
  done
  same=no
  if [[ ${results[1]} == known ]]; then
    same="no: ${known[$program]}"
  elif [[ -n ${known[$program]:-} ]]; then
    same="programs.tsv says that it does not work: ${known[$program]}"
    code=1
  elif [[ ${results[*]} != *failed* ]] && cmp -s "$work/$program-plain.txt" "$work/$program-salted.txt"; then
    same="yes, $(wc -l <"$work/$program-plain.txt") lines"
  else
    code=1
    diff "$work/$program-plain.txt" "$work/$program-salted.txt" | head -n 20 >&2 || true
  fi
  lines+=("$(printf '%-13s %-9s %-9s %s' "$program" "${results[0]}" "${results[1]}" "$same")")
done
printf '%-13s %-9s %-9s %s\n' program plain salted 'same?'
printf '%s\n' "${lines[@]}"
exit "$code"
