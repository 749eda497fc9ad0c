#!/usr/bin/env bash
# Puts Rowguard's server jar into an HBase installation, and takes it away again.
# `install.sh --help` says more.
set -euo pipefail
unset CDPATH # with which cd prints where it goes

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=
dry=no
action=install

usage() {
  cat <<'USAGE'
usage: install.sh --hbase-home DIR [--dry-run] [--uninstall]

Copies rowguard-server-VERSION.jar into DIR/lib, where HBase's class path finds it, in place of an
older version that this script has put there. Then shows what to merge into hbase-site.xml and in
which order to restart. Run it on every master and region server.

It never writes a configuration, and never touches a file that it has not made: what it has made
stands in DIR/lib/rowguard-server.installed. The directory must be writable by you.

  --hbase-home DIR   the HBase installation: the directory with bin/, conf/ and lib/
  --dry-run          say what would be done, and do nothing
  --uninstall        take the jar away again, if nothing in the servers' hbase-site.xml names it
  --help             this text

Exits with 0 when done (or when there was nothing to do), with 1 when refused, with 2 when called
in a wrong way. Environment: HBASE_CONF_DIR, instead of DIR/conf.
USAGE
}

fail() {
  local status=$1
  shift
  printf 'install: %s\n' "$@" >&2
  exit "$status"
}

parse_arguments() {
  while (($# > 0)); do
    case $1 in
      --hbase-home)
        [[ -n ${2:-} ]] || fail 2 '--hbase-home needs a directory'
        home=$2
        shift
        ;;
      --dry-run) dry=yes ;;
      --uninstall) action=uninstall ;;
      --help | -h)
        usage
        exit 0
        ;;
      *) fail 2 "what is $1? install.sh --help lists the options" ;;
    esac
    shift
  done
  [[ -n $home ]] || fail 2 'which HBase? install.sh --hbase-home DIR'
}

check_home() {
  [[ -d $home ]] || fail 2 "there is no directory $home"
  home=$(cd "$home" && pwd)
  [[ -d $home/lib && -e $home/bin/hbase ]] ||
    fail 2 "$home is no HBase installation: it has no lib/ or no bin/hbase"
  record=$home/lib/rowguard-server.installed
  site=${HBASE_CONF_DIR:-$home/conf}/hbase-site.xml
}

# The jar beside this script, in an unpacked distribution or in a checkout.
find_jar() {
  local jars=()
  shopt -s nullglob
  jars=("$here"/server/rowguard-server-*.jar)
  ((${#jars[@]} > 0)) || jars=("$here"/target/rowguard-server-*.jar)
  shopt -u nullglob
  ((${#jars[@]} == 1)) ||
    fail 1 "there must be one rowguard-server-VERSION.jar in $here/server, there are ${#jars[@]}"
  jar=${jars[0]}
  name=$(basename "$jar")
}

sum_of() {
  cksum <"$1" | tr ' ' ':'
}

# Reads the record of what this script has put there: the name and the checksum, and in the middle of
# an upgrade that of before as well; empty if none.
read_record() {
  installed=
  installed_sum=
  former_sum=
  if [[ -e $record ]]; then
    read -r installed installed_sum former_sum <"$record" || true
    [[ $installed =~ ^rowguard-server-[A-Za-z0-9._-]+\.jar$ ]] ||
      fail 1 "$record is not as this script writes it; look at it, and remove it with the jar"
  fi
}

# Refuses to remove or replace what others have put in our jar's place. Finds the checksum of what is
# there, empty if nothing is.
check_installed() {
  there_sum=
  [[ -z $installed || ! -e $home/lib/$installed ]] && return
  there_sum=$(sum_of "$home/lib/$installed")
  [[ $there_sum == "$installed_sum" || $there_sum == "$former_sum" ]] ||
    fail 1 "$home/lib/$installed is not what this script has put there; remove it by hand"
}

# Two versions on one class path: which of them works is chance.
check_others() {
  local other
  shopt -s nullglob
  for other in "$home"/lib/rowguard-*.jar; do
    [[ ${other##*/} == "$installed" ]] ||
      fail 1 "$other is there already, and not from this script; remove it first"
  done
  shopt -u nullglob
}

say() {
  if [[ $dry == yes ]]; then
    printf 'would: %s\n' "$*"
  else
    printf '%s\n' "$*"
  fi
}

do_or_say() {
  say "$@"
  [[ $dry == yes ]] || "$@"
}

# Writes a new record beside the one that holds.
#   prepare_record CHECKSUM...
prepare_record() {
  printf '%s\n' "$name $*" >"$record.new"
}

# Everything that may fail comes before the old jar goes, under other names: a server that starts
# meanwhile finds it, and never half of one. Between the two there is none, if only for a moment.
install_jar() {
  local sum old= before=()
  sum=$(sum_of "$jar")
  if [[ $installed == "$name" && $there_sum == "$sum" ]]; then
    printf '%s is there already.\n' "$home/lib/$name"
    return
  fi
  # The record before the jar, with what is there under the same name: whatever interrupts this, the
  # next run goes on from there.
  if [[ $installed != "$name" ]]; then
    old=${installed:+$home/lib/$installed}
  elif [[ -n $there_sum ]]; then
    before=("$there_sum")
  fi
  # Mode 644, whatever root's umask is: HBase has a user of its own.
  do_or_say install -m 644 "$jar" "$home/lib/$name.new"
  [[ -z $old ]] || say rm -f "$old"
  say write "$record"
  say mv "$home/lib/$name.new" "$home/lib/$name"
  [[ $dry == no ]] || return 0
  prepare_record "$sum" ${before[@]+"${before[@]}"}
  trap '' HUP INT TERM
  [[ -z $old ]] || rm -f "$old"
  mv "$record.new" "$record"
  mv "$home/lib/$name.new" "$home/lib/$name"
  trap - HUP INT TERM
  if ((${#before[@]} > 0)); then
    prepare_record "$sum"
    mv "$record.new" "$record"
  fi
}

show_fragment() {
  local class missing=no
  for class in LayoutRegionObserver LayoutRegionSplitPolicy LayoutMasterObserver; do
    if ! grep -qs "$class" "$site"; then
      missing=yes
    fi
  done
  if [[ $missing == no ]]; then
    printf '\n%s names all three classes.\n' "$site"
    return
  fi
  printf '\nMerge into %s what it does not have yet (or name the classes per table).\n' "$site"
  printf 'Where one of these properties is there already, do not add a second, which would replace it: add\n'
  printf 'the class after what it has, separated by a comma (the split policy: keep yours, name ours per\n'
  printf 'table).\n\n'
  sed -n '/<configuration>/,/<\/configuration>/{/configuration>/!p;}' \
    "$(fragment hbase-site-master.xml)"
  printf '\nAll keys and their defaults: %s\n' "$(fragment hbase-site-defaults.xml)"
}

fragment() {
  local dir=$here/conf
  [[ -e $dir/$1 ]] || dir=$here/dist/conf
  printf '%s\n' "$dir/$1"
}

say_restart() {
  cat <<'RESTART'

Then, in this order, when the jar is on all servers:
  1. restart the backup masters, then the active master
  2. restart the region servers, one after the other (bin/graceful_stop.sh --restart --reload HOST)
  3. only now let tables name the classes or have a layout (shell/enable.txt): a region server
     without the jar aborts when it opens a region that names them
RESTART
}

uninstall() {
  if [[ -z $installed ]]; then
    printf 'Nothing of this script is in %s.\n' "$home/lib"
    return
  fi
  [[ -r $site ]] ||
    fail 1 "cannot read $site, which may name classes of Rowguard" \
      "set HBASE_CONF_DIR to the directory of the servers' configuration"
  if grep -q 'io\.rowguard\.' "$site"; then
    fail 1 "$site still names classes of Rowguard, so servers could not start without the jar" \
      "take them out there first, and off every table that names them (shell/disable.txt)"
  fi
  printf '%s names no class of Rowguard.\n' "$site"
  do_or_say rm -f "$home/lib/$installed" "$record"
  cat <<'AFTER'

No table may name the classes any more: a region server without the jar aborts when it opens such a
region. `list.each { |t| describe t }` in the HBase shell shows them; shell/disable.txt frees one.
Then restart the region servers, one after the other, and the masters.
AFTER
}

main() {
  parse_arguments "$@"
  check_home
  read_record
  check_installed
  if [[ $action == uninstall ]]; then
    uninstall
    return
  fi
  find_jar
  check_others
  install_jar
  show_fragment
  say_restart
}

main "$@"
