#!/usr/bin/env bash
# Builds everything that is released twice from the same sources and compares the bytes.
# `deploy/reproducible.sh --help` says more.
set -euo pipefail
unset CDPATH # with which cd prints where it goes

usage() {
  cat <<'USAGE'
usage: deploy/reproducible.sh [MAVEN OPTION...]

Builds the archive, the server jar and all other jars twice, from copies of the files that git knows, as they are in this
checkout: in two directories, one after the other, with another time zone, locale and number of threads, and umask 022, since
jars keep the modes of files. Tests are neither compiled nor run. Then it prints the SHA-256 of each result, or says what differs,
and exits with 1.

  MAVEN OPTION   for both builds: -o, or -Prelease, which adds the jars of sources and of javadoc

Environment: JAVA_HOME (JDK 17 to 23), MVN (a command instead of mvn), TMPDIR (needs 1 GB).
USAGE
}

fail() {
  printf 'reproducible: %s\n' "$1" >&2
  exit 2
}

# Copies the checkout's files, with modes by the umask: copy TO
copy() {
  mkdir -p "$1"
  git -C "$root" ls-files -z | tar -C "$root" --null -T - -cf - | tar -C "$1" --no-same-permissions -xf -
}

# build NAME TIMEZONE LOCALE THREADS MAVEN_OPTION...
build() {
  local at=$work/$1/rowguard-$1 zone=$2 locale=$3 threads=$4
  shift 4
  printf 'Building in %s ...\n' "$at" >&2
  if ! (
    umask 022
    # In a condition, "set -e" ends nothing.
    copy "$at" && cd "$at" || exit 1
    TZ=$zone LC_ALL=$locale "${mvn[@]}" -B "-T$threads" package -pl deploy -am \
      -Dmaven.test.skip=true -Dspotless.check.skip=true "$@" >build.log 2>&1 </dev/null
  ); then
    grep -m 5 '^\[ERROR\]' "$at/build.log" >&2 || true
    fail "the build failed; run mvn -B package -DskipTests in this checkout to see why"
  fi
}

# The digests of what was built in a directory, by name: digests DIR
digests() {
  (cd "$1" && find . -path '*/target/*' \( -name '*.jar' -o -name '*-bin.tar.gz' -o -name '*-bom.json' \) \
    -not -path '*/target/*/*' -exec sha256sum {} + | LC_ALL=C sort -k 2)
}

if [[ ${1:-} == --help || ${1:-} == -h ]]; then
  usage
  exit 0
fi
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
read -r -a mvn <<<"${MVN:-mvn}"
command -v "${mvn[0]}" >/dev/null || fail "${mvn[0]} is missing; install Maven 3.6.3 or later, or set MVN"
git -C "$root" rev-parse --git-dir >/dev/null 2>&1 || fail "this is no checkout of git, which says what the sources are"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build one UTC C 2 "$@"
build two Asia/Kolkata C.UTF-8 1 "$@"
digests "$work/one/rowguard-one" >"$work/one.sha256"
digests "$work/two/rowguard-two" >"$work/two.sha256"
[[ -s $work/one.sha256 ]] || fail "nothing was built"
if ! diff "$work/one.sha256" "$work/two.sha256" >"$work/difference"; then
  printf 'reproducible: the two builds differ:\n' >&2
  sed -n 's/^[<>] [0-9a-f]*  /  /p' "$work/difference" | sort -u >&2
  mkdir "$work/unpacked-one" "$work/unpacked-two"
  tar -C "$work/unpacked-one" -xzf "$work"/one/*/deploy/target/*-bin.tar.gz
  tar -C "$work/unpacked-two" -xzf "$work"/two/*/deploy/target/*-bin.tar.gz
  diff -rq "$work/unpacked-one" "$work/unpacked-two" | sed "s|$work/||g; s/^/  /" >&2 || true
  diff <(tar tvzf "$work"/one/*/deploy/target/*-bin.tar.gz) <(tar tvzf "$work"/two/*/deploy/target/*-bin.tar.gz) |
    head -n 20 >&2 || true
  exit 1
fi
cat "$work/one.sha256"
printf 'reproducible: %d files, the same twice\n' "$(wc -l <"$work/one.sha256")" >&2
