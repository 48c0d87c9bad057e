# The common functions of the scripts; sourced, not run.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Reports progress on standard error; standard output is for the result of a script.
say() { printf '==> %s\n' "$*" >&2; }

fail() {
  printf '%s: %s\n' "$(basename "$0")" "$1" >&2
  exit "${2:-2}"
}

# Prints the comment at the head of the running script.
help() { sed -n '2,/^$/ s/^# \{0,1\}//p' "$0"; }

# Runs `swift build`. The order of a package's traits is that of a set, so it differs from one environment to another,
# and another order compiles everything again; with this setting it is always the same.
build_package() { SWIFT_DETERMINISTIC_HASHING=1 swift build "$@" < /dev/null; }

# Sets `scratch`, the folder of the build with that sanitizer: plain and sanitized objects must not be mixed.
# shellcheck disable=SC2034 # the scripts that source this use it
choose_sanitizer() {
  case $1 in
    '') scratch=$root/.build ;;
    thread) scratch=$root/.build-tsan ;;
    address) scratch=$root/.build-asan ;;
    *) fail "there is no sanitizer “$1”; use thread or address" ;;
  esac
}
