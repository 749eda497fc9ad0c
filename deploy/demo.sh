#!/usr/bin/env bash
# Shows Rowguard at work: starts a standalone HBase with Rowguard's server jar in a temporary
# directory, drives it over the network as any client would, says what it saw, and removes
# all of it. `deploy/demo.sh --help` says more.
set -euo pipefail
unset CDPATH # with which cd prints where it goes

deploy=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=SCRIPTDIR/lib/standalone-hbase.sh
. "$deploy/lib/standalone-hbase.sh"

# Room for six tables, their logs, and the files that HBase keeps for a while after each split.
needed_mib=512
# Less than this and the disk counts as full.
spare_mib=16
way_out="set TMPDIR to a directory with $needed_mib MiB to spare"
# From the start of HBase to the end, in seconds. A quiet laptop needs about half of it.
time_limit=300

keep=no
dir=
job=
ready=no
checks=0

usage() {
  cat <<'USAGE'
usage: deploy/demo.sh [--keep] [--port PORT]

Starts a real HBase with Rowguard in a temporary directory, on free ports of 127.0.0.1, and shows
with 135,233 real keys: which rows are refused, where regions are cut, how a table is pre-split,
how bare keys get their salt, and how a live table gets more buckets.
Takes two to three minutes, the first time some more to build. Ends by itself, removes what it made, and
exits with 0 if all that it claims held; if not, it keeps the logs and says where.

  --keep         let HBase run on, with the tables; says how to reach and how to end it
  --port PORT    ZooKeeper's port; default: any free one
  --help         this text

Environment: JAVA_HOME (JDK 17 to 23), MVN (a command instead of mvn), TMPDIR (where the
directory is made), NO_COLOR.
USAGE
}

fail() {
  printf 'demo: %s\n' "$1" >&2
  exit 1
}

parse_arguments() {
  while (($# > 0)); do
    case $1 in
      --keep) keep=yes ;;
      --port)
        if ! [[ ${2:-} =~ ^[1-9][0-9]{0,4}$ ]] || (($2 > 65535)); then
          fail "--port needs a number from 1 to 65535"
        fi
        export SH_HBASE_ZK_PORT=$2
        shift
        ;;
      --help | -h)
        usage
        exit 0
        ;;
      *) fail "what is $1? deploy/demo.sh --help lists the options" ;;
    esac
    shift
  done
}

free_mib() {
  df -Pk "$1" | awk 'NR == 2 { print int($4 / 1024) }'
}

make_directory() {
  dir=$(mktemp -d "${TMPDIR:-/tmp}/rowguard-demo.XXXXXX" 2>/dev/null) ||
    fail "cannot make a directory in ${TMPDIR:-/tmp}: $way_out"
  local free
  free=$(free_mib "$dir")
  ((free >= needed_mib)) ||
    fail "only $free MiB are free in ${TMPDIR:-/tmp}: $way_out"
}

# The servers' configuration: what operators copy into theirs, and one thing that only a demo needs.
write_site() {
  sed '/<\/configuration>/,$d' "$deploy/conf/hbase-site.xml"
  cat <<'XML'
  <!-- A region that was split off can be split again only after its compacted files are put away,
       which HBase does every two minutes; the demo splits a table six times over. -->
  <property>
    <name>hbase.hfile.compaction.discharger.interval</name>
    <value>500</value>
  </property>
</configuration>
XML
}

# Runs a command in a process group of its own, so that all of it can be ended at once, and waits
# for it. Meanwhile CHECK is called twice a second; when it fails, so does this.
#   run CHECK COMMAND...
run() {
  local check=$1 status=0
  shift
  set -m
  "$@" </dev/null &
  job=$!
  set +m
  while kill -0 "$job" 2>/dev/null; do
    sleep 0.5
    "$check" || return 1
  done
  # Never the job's own status: over 128 would pass for an interruption of the demo.
  wait "$job" || status=1
  # Its own processes, if it was ended by its watchdog; HBase itself where that has started.
  ((status == 0)) || kill -KILL -- "-$job" 2>/dev/null || true
  job=
  return "$status"
}

# A sign of life: Maven's own words go to a file.
say_it_builds() {
  ((++checks % 30 != 0)) || printf '  ... %d s\n' $((checks / 2))
}

# The client would go on asking a server that cannot answer.
check_server() {
  sh_hbase_running "$dir" && (($(free_mib "$dir") >= spare_mib))
}

drive() {
  local seconds=$1 abilities=()
  if [[ -t 1 && ${TERM:-dumb} != dumb ]]; then
    abilities+=(terminal)
    [[ -n ${NO_COLOR:-} ]] || abilities+=(color)
  fi
  [[ $(locale charmap 2>/dev/null) != UTF-8 ]] || abilities+=(unicode)
  # Bash before 4.4 takes an empty array for an unset variable.
  # HBase 2's client prints the stack trace of a scan that has to begin anew, whatever its log's level is.
  sh_hbase_client "$dir" -Xmx512m \
    -Dlog4j.configuration=log4j-demo.properties "-Drowguard.demo.log=$dir/logs/demo.log" \
    "-Drowguard.demo.launcher=$deploy/rowguard" "-Drowguard.demo.site=$dir/conf/hbase-site.xml" \
    io.rowguard.demo.Demo "$seconds" ${abilities[@]+"${abilities[@]}"} 2>>"$dir/logs/demo.err"
}

# Why the demo could not go on, as far as it shows from outside.
diagnose() {
  [[ $ready == yes ]] || return 0
  if (($(free_mib "$dir") < spare_mib)); then
    printf '\ndemo: the disk of %s is full: %s\n' "$dir" "$way_out" >&2
  elif ! sh_hbase_running "$dir"; then
    printf '\ndemo: HBase ended by itself\n' >&2
  fi
}

# Ends HBase and removes what it had, but for the logs.
discard_but_logs() {
  local aside=$dir/logs-of-failure
  mv "$dir/logs" "$aside" 2>/dev/null || true
  sh_hbase_discard "$dir" || true
  if [[ -n $(ls -A "$aside" 2>/dev/null) ]]; then
    mv "$aside" "$dir/logs"
    printf 'demo: the logs are in %s\n' "$dir/logs" >&2
  else
    rm -rf "$dir"
  fi
}

clean_up() {
  local status=$?
  trap - EXIT
  # A second Ctrl-C must not leave half of it.
  trap '' INT TERM HUP PIPE
  if [[ -n $job ]]; then
    # Disowned, it goes without bash saying so.
    disown "$job" 2>/dev/null || true
    kill -KILL -- "-$job" 2>/dev/null || true
  fi
  [[ -n $dir ]] || exit "$status"
  if ((status > 128)); then
    printf '\ndemo: interrupted; ending HBase and removing %s\n' "$dir" >&2
    discard
    exit "$status"
  fi
  ((status == 0)) || diagnose
  if [[ $keep == yes && $ready == yes ]] && sh_hbase_running "$dir"; then
    say_kept
  elif ((status == 0)); then
    discard
  else
    discard_but_logs
  fi
  exit "$status"
}

discard() {
  sh_hbase_discard "$dir" || true
  rm -rf "$dir"
}

say_kept() {
  local script_word dir_word
  printf -v script_word '%q' "$deploy/lib/standalone-hbase.sh"
  printf -v dir_word '%q' "$dir"
  cat <<KEPT

HBase runs on, with the tables places, places-hbase, ids-naive, ids-even, orders and
places-salted:
  reach it   ZooKeeper at 127.0.0.1:$(cat "$dir/conf/zookeeper.port"), or $dir/conf/hbase-site.xml
  a shell    hbase --config $dir_word/conf shell     (of any HBase 2.x)
  its log    $dir/logs/hbase.log
  end it     (. $script_word && sh_hbase_discard $dir_word)
KEPT
}

main() {
  parse_arguments "$@"
  trap clean_up EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  trap 'exit 129' HUP
  trap 'exit 141' PIPE
  # A process group of its own may write to a terminal all the same (stty tostop).
  trap '' TTOU
  make_directory
  mkdir "$dir/tmp"
  write_site >"$dir/tmp/site.xml"
  export SH_HBASE_SITE=$dir/tmp/site.xml

  run say_it_builds sh_hbase_start "$dir"
  local began=$SECONDS
  sh_hbase_wait "$dir"
  ready=yes
  run check_server drive $((time_limit - (SECONDS - began)))
  printf '\nDone in %d s.\n' "$SECONDS"
}

main "$@"
