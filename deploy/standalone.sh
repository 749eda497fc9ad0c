#!/usr/bin/env bash
# A standalone HBase with Rowguard to try things on: it stays, with its tables, until it is stopped.
# `deploy/standalone.sh --help` says more.
set -euo pipefail
unset CDPATH # with which cd prints where it goes

deploy=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=SCRIPTDIR/lib/standalone-hbase.sh
. "$deploy/lib/standalone-hbase.sh"

dir=$(sh_hbase_usual_dir)

usage() {
  cat <<'USAGE'
usage: deploy/standalone.sh [--dir DIR] [--port PORT] start|stop|status|shell [ARGUMENT...]

A real HBase with Rowguard's server jar, one JVM, on free ports of 127.0.0.1, for trying things out.

  start          start it, with the tables it had when it was stopped; builds Rowguard first if need be. After a crash
                 it takes some 40 s longer: ZooKeeper believes for so long that the old one is alive
  stop           stop it in good order; the tables stay in DIR
  status         say whether it runs, and how to reach it; exits with 0 if it runs, with 3 if not
  shell          HBase's own shell (2.4.17) on it; arguments go to the shell: `shell -n < commands.rb` runs a script

  --dir DIR      a directory of its own for data, logs, configuration; default: $ROWGUARD_STANDALONE, else
                 ${XDG_DATA_HOME:-~/.local/share}/rowguard/standalone. To be rid of it, stop it and remove DIR
  --port PORT    start: ZooKeeper's port; default: any free one
  --help         this text

The master checks every table against its layout; each table names the region observer and the split policy itself, as in the
README. That is deploy/conf/standalone-site.xml (SH_HBASE_SITE: another file).
HBase's web pages, with /jmx, are on free ports; status says which.
Environment: JAVA_HOME (JDK 17 to 23), MVN (a command instead of mvn), SH_HBASE_REGION_SERVERS (1), SH_HBASE_HEAP (1g), SH_HBASE_JAVA_OPTS,
SH_HBASE_VERSION (another HBase, which Maven fetches: 2.5.13-hadoop3, 3.0.0; stop, then start with a later one, and the tables
are upgraded).
USAGE
}

fail() {
  printf 'standalone: %s\n' "$1" >&2
  exit 2
}

start() {
  if sh_hbase_running "$dir"; then
    printf 'It is running already.\n'
    status
    return
  fi
  sh_hbase_start "$dir"
  if ! sh_hbase_wait "$dir"; then
    sh_hbase_stop "$dir" || true
    return 1
  fi
  status
}

stop() {
  if ! sh_hbase_running "$dir"; then
    printf 'It is not running. dir=%s\n' "$dir"
    return
  fi
  sh_hbase_stop "$dir" || return 1
  printf 'Stopped. Its tables stay in %s\n' "$dir"
}

status() {
  local script rowguard dir_word
  if ! sh_hbase_running "$dir"; then
    printf 'It is not running. dir=%s\n' "$dir"
    return 3
  fi
  printf -v script '%q' "$deploy/standalone.sh"
  printf -v rowguard '%q' "$deploy/rowguard"
  printf -v dir_word '%q' "$dir"
  cat <<STATUS
It is running.
  ZooKeeper      127.0.0.1:$(cat "$dir/conf/zookeeper.port")
  configuration  $dir/conf/hbase-site.xml
  log            $dir/logs/hbase.log
STATUS
  web_pages
  cat <<STATUS
  a shell        $script --dir $dir_word shell
  examine it     $rowguard doctor --site $dir_word/conf/hbase-site.xml
  end it         $script --dir $dir_word stop
STATUS
}

# A line for each of HBase's web pages.
web_pages() {
  local port server=master
  [[ -r $dir/conf/web.ports ]] || return 0
  while read -r port; do
    printf '  %-14s http://127.0.0.1:%s/jmx\n' "$server" "$port"
    server='region server'
  done <"$dir/conf/web.ports"
}

shell() {
  sh_hbase_running "$dir" || fail "it is not running; deploy/standalone.sh start it first. dir=$dir"
  sh_hbase_shell "$dir" "$@"
}

main() {
  local command=
  while (($# > 0)); do
    case $1 in
      --dir)
        [[ -n ${2:-} ]] || fail "--dir needs a directory"
        dir=$2
        shift
        ;;
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
      start | stop | status | shell)
        command=$1
        shift
        break
        ;;
      *) fail "what is $1? deploy/standalone.sh --help lists the commands" ;;
    esac
    shift
  done
  [[ -n $command ]] || fail "say what to do: start, stop, status or shell"
  [[ $command == shell ]] || (($# == 0)) || fail "$command takes no arguments; what is $1? Options stand before it"
  if [[ -d $dir ]]; then
    dir=$(cd "$dir" && pwd -P)
  fi
  "$command" "$@"
}

main "$@"
