#!/usr/bin/env bash
# Plants faults in a copy of the sources, one at a time, and says which tests find each. `testing/soak/planted.sh --help` says more.
set -euo pipefail
unset CDPATH # with which cd prints where it goes

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$here/target/planted
copy=$work/copy
read -r -a mvn <<<"${MVN:-mvn}"
minutes=
control=no
planted=
job=

usage() {
  cat <<'USAGE'
usage: testing/soak/planted.sh [--control] [--soak MINUTES] [NUMBER...]
       testing/soak/planted.sh --list

Each patch in testing/soak/planted plants one fault in the code of servers or clients. This copies the sources, as they are in this
checkout, applies one patch after the other, runs the tests that its header names, and prints which of them fail:

  Unit: A,B   unit tests; without this line, all those of the module that has the fault
  IT: A,B     integration tests

A row per fault is that of a table in Markdown. Exits with 0 if each was found. 1: one was not, and a test is missing. 2: a patch does
not apply or compile, or a test did not run; that is no find. A fault takes two to four minutes, the first one as long again.

  NUMBER           which faults; default: all
  --control        in the end run what has found a fault without any, too: else tests that always fail would find everything
  --soak MINUTES   where no test finds it, run testing/soak/run.sh with the fault
  --list           print numbers and faults, and run nothing
  --help           this text

Environment: JAVA_HOME (JDK 17 to 23), MVN (instead of mvn; may have options). The copy, logs and what failed: testing/soak/target/planted.
USAGE
}

fail() {
  printf 'planted: %s\n' "$1" >&2
  exit 2
}

say() {
  printf 'planted: %s\n' "$1" >&2
}

# The fault that a patch plants, in words.
fault() {
  head -n 1 "$1"
}

# A line of a patch's header, nothing if it has none: header PATCH KEY
header() {
  sed -n "/^diff /q; s/^$2: //p" "$1"
}

# The module of the file that a patch changes.
module() {
  sed -n 's|^+++ b/\(.*\)/src/main/.*|\1|p' "$1"
}

# Its number, as one says it.
number() {
  local name=${1##*/}
  printf '%d' "$((10#${name%%-*}))"
}

# Makes the copy what the checkout is. A file that is the same keeps its time, so that Maven compiles little.
refresh() {
  local file changed
  mkdir -p "$copy"
  git -C "$root" ls-files -z -co --exclude-standard >"$work/files" || fail "this is no checkout of git, which says what the sources are"
  {
    while IFS= read -r -d '' file; do
      if [[ -f $root/$file ]] && ! cmp -s "$root/$file" "$copy/$file"; then
        mkdir -p "$(dirname "$copy/$file")"
        cp "$root/$file" "$copy/$file"
        printf '%s\0' "$file"
      fi
    done <"$work/files"
    while IFS= read -r -d '' file; do
      if [[ ! -f $root/$file ]]; then
        rm "$copy/$file"
        printf '%s\0' "${file#./}"
      fi
    done < <(cd "$copy" && find . -name target -prune -o -type f -print0)
  } >"$work/changed"
  # Maven is told to compile nothing but files that are newer than their classes: what else is concerned goes.
  while IFS= read -r -d '' changed; do
    case $changed in
      */src/test/*) rm -rf "$copy/${changed%%/src/test/*}/target" ;;
      */src/main/* | pom.xml | */pom.xml | .mvn/*)
        find "$copy" -type d -name target -prune -exec rm -rf {} +
        break
        ;;
    esac
  done <"$work/changed"
}

plant() {
  (cd "$copy" && GIT_CEILING_DIRECTORIES=$work git apply "$1") || return 1
  planted=$1
}

take_out() {
  [[ -z $planted ]] || (cd "$copy" && GIT_CEILING_DIRECTORIES=$work git apply -R "$planted") || return 1
  planted=
}

clean_up() {
  local status=$? second
  trap - EXIT
  trap '' INT TERM HUP
  if [[ -n $job ]]; then
    # A soak has a cluster to stop, in a group of its own; tests have their JVMs in this one.
    kill -TERM -- "-$job" 2>/dev/null || true
    for ((second = 0; second < 120; second++)); do
      kill -0 -- "-$job" 2>/dev/null || break
      sleep 1
    done
    kill -KILL -- "-$job" 2>/dev/null || true
  fi
  take_out || status=2
  exit "$status"
}

# Runs a command in the copy to its end, or to that of this script: in_copy LOG COMMAND...
in_copy() {
  local log=$1 status=0
  shift
  set -m
  (cd "$copy" && exec "$@") >"$log" 2>&1 </dev/null &
  job=$!
  set +m
  wait "$job" || status=$?
  job=
  return "$status"
}

# The modules of test classes, one a line: test_modules CLASS,CLASS...
test_modules() {
  local class found
  for class in ${1//,/ }; do
    found=$(cd "$copy" && find . -name target -prune -o -path "*/src/test/java/*/$class.java" -print | sed 's|^\./||')
    [[ -n $found ]] || {
      say "there is no test $class"
      return 1
    }
    printf '%s\n' "${found%%/src/test/*}"
  done
}

# The unit tests of a module, with commas between: unit_tests MODULE
unit_tests() {
  find "$copy/$1/src/test/java" -name '*Test.java' | sed 's|.*/||; s/\.java$//' | sort | paste -s -d , -
}

# What the reports say, per class: its simple name, how many tests, how many failed: reports surefire|failsafe
reports() {
  find "$copy" -path "*/target/$1-reports/TEST-*.xml" -exec grep -ho '<testsuite [^>]*' {} + |
    sed 's/.* name="\([^"]*\)".* tests="\([0-9]*\)".* errors="\([0-9]*\)".* failures="\([0-9]*\)".*/\1 \2 \3 \4/' |
    awk '{ sub(/.*\./, "", $1); sub(/\$.*/, "", $1); tests[$1] += $2; bad[$1] += $3 + $4 }
      END { for (each in tests) print each, tests[each], bad[each] }' | sort
}

# Runs tests in the copy as it is: run_tests NAME MODULES UNIT_TESTS INTEGRATION_TESTS. Their reports say what came of it.
run_tests() {
  local name=$1 log=$work/$1.log kind
  find "$copy" -type d \( -path '*/target/surefire-reports' -o -path '*/target/failsafe-reports' \) -prune -exec rm -rf {} +
  in_copy "$log" "${mvn[@]}" -B verify -pl "$2" -am -Dtest="${3:-none}" -Dit.test="${4:-none}" \
    -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false -Dmaven.test.failure.ignore=true \
    -Dmaven.compiler.useIncrementalCompilation=false -Dspotless.check.skip || {
    if grep -q 'COMPILATION ERROR' "$log"; then
      say "$name does not compile; see $log"
    else
      say "the build of $name failed; see $log"
    fi
    return 1
  }
  # The first lines of what failed, to see whether it was the fault.
  grep -h '^\[ERROR\]  ' "$log" | sort -u >"$work/$name.failed" || true
  for kind in surefire failsafe; do
    reports "$kind" >"$work/$name.$kind"
  done
}

# Whether classes have run to their end: have_run NAME CLASS,CLASS...
have_run() {
  local class
  for class in ${2//,/ }; do
    grep -qE "^$class [1-9]" "$work/$1.surefire" "$work/$1.failsafe" || {
      say "$class did not run on $1; see $work/$1.log"
      return 1
    }
  done
}

# The classes with failures, with commas between: failed NAME surefire|failsafe
failed() {
  awk '$3 > 0 { print $1 }' "$work/$1.$2" | paste -s -d , - | sed 's/,/, /g'
}

# Tries one patch, and prints its row. Returns 1 if nothing finds it, 2 if that cannot be said.
try() {
  local patch=$1 name named units its modules unit it by status=0 began=$SECONDS
  name=$(number "$patch")
  its=$(header "$patch" IT)
  named=$(header "$patch" Unit)
  units=${named:-$(unit_tests "$(module "$patch")")}
  modules=$({ module "$patch" && test_modules "$units" && test_modules "$its"; } | sort -u | paste -s -d , -) || return 2
  plant "$patch" || {
    say "$name does not apply"
    return 2
  }
  { run_tests "$name" "$modules" "$units" "$its" && have_run "$name" "$named,$its"; } || status=2
  if ((status == 0)); then
    unit=$(failed "$name" surefire)
    it=$(failed "$name" failsafe)
    by=${unit:+unit test $unit}${unit:+${it:+; }}${it:+integration test $it}
    if [[ -z $by && -n $minutes ]]; then
      soak "$name" || status=2
    fi
    found_units+=",$unit"
    found_its+=",$it"
    found_modules+=",$modules"
  fi
  take_out || fail "$name cannot be taken out of $copy"
  ((status == 0)) || return "$status"
  printf '| %s | %s | %s |\n' "$name" "$(fault "$patch")" "${by:-**nothing**}"
  say "$name took $((SECONDS - began)) s"
  [[ -n $by ]]
}

# Has the soak look for a fault, and sets by where it finds it: soak NAME
soak() {
  local status=0
  in_copy "$work/$1.soak" testing/soak/run.sh --minutes "$minutes" --seed 1 || status=$?
  if ((status == 1)) && grep -q 'FAILED: violations=' "$work/$1.soak"; then
    by='only the soak'
  elif ((status > 0)); then
    say "the soak did not run on $1; see $work/$1.soak"
    return 1
  fi
}

# A list without empty and repeated names, with commas between.
unique() {
  tr -d ' ' <<<"$1" | tr , '\n' | sed '/^$/d' | sort -u | paste -s -d , -
}

# Whether what has found faults finds none where there is none.
run_control() {
  local units its bad
  units=$(unique "$found_units")
  its=$(unique "$found_its")
  [[ -n $units$its ]] || return 0
  run_tests control "$(unique "$found_modules")" "$units" "$its" && have_run control "$units,$its" || return 2
  bad=$(failed control surefire)$(failed control failsafe)
  if [[ -n $bad ]]; then
    say "without any fault these fail, too: $bad; see $work/control.log"
    return 2
  fi
  say "without any fault all that found one pass"
}

main() {
  local patches=() wanted=() list=no patch each status=0 outcome
  while (($# > 0)); do
    case $1 in
      --control) control=yes ;;
      --soak)
        [[ ${2:-} =~ ^[1-9][0-9]{0,3}$ ]] || fail "--soak needs a number of minutes from 1 to 9999"
        minutes=$2
        shift
        ;;
      --list) list=yes ;;
      --help | -h)
        usage
        exit 0
        ;;
      -*) fail "there is no option $1; testing/soak/planted.sh --help lists them" ;;
      *)
        [[ $1 =~ ^[0-9]{1,3}$ ]] || fail "$1 is no number of a fault; testing/soak/planted.sh --list prints them"
        wanted+=("$1")
        ;;
    esac
    shift
  done
  if [[ $list == yes ]]; then
    for patch in "$here"/planted/*.patch; do
      printf '%2d  %s\n' "$(number "$patch")" "$(fault "$patch")"
    done
    exit 0
  fi
  if ((${#wanted[@]} == 0)); then
    patches=("$here"/planted/*.patch)
  else
    for each in "${wanted[@]}"; do
      patch=$(printf '%s\n' "$here/planted/$(printf '%02d' "$((10#$each))")"-*.patch)
      [[ -r $patch ]] || fail "there is no fault $each; testing/soak/planted.sh --list prints them"
      patches+=("$patch")
    done
  fi
  trap clean_up EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  trap 'exit 129' HUP
  refresh
  found_units=
  found_its=
  found_modules=
  printf '| | fault | found by |\n|---|---|---|\n'
  for patch in "${patches[@]}"; do
    outcome=0
    # Of the copy: it is of one moment, however long this takes.
    try "$copy/testing/soak/planted/${patch##*/}" || outcome=$?
    ((outcome <= status)) || status=$outcome
  done
  if [[ $control == yes ]]; then
    run_control || status=2
  fi
  return "$status"
}

main "$@"
