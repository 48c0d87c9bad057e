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
