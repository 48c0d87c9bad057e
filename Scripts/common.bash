# What the scripts have in common; sourced, not run.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# What a script does is told on standard error; standard output is for its result.
say() { printf '==> %s\n' "$*" >&2; }

fail() {
  printf '%s: %s\n' "$(basename "$0")" "$1" >&2
  exit "${2:-2}"
}

# Prints the comment at the head of the script that runs.
help() { sed -n '2,/^$/ s/^# \{0,1\}//p' "$0"; }

# Sets `scratch`, where the build with that sanitizer lies: plain and sanitized objects do not mix.
# shellcheck disable=SC2034 # the scripts that source this use it
choose_sanitizer() {
  case $1 in
    '') scratch=$root/.build ;;
    thread) scratch=$root/.build-tsan ;;
    address) scratch=$root/.build-asan ;;
    *) fail "there is no sanitizer “$1”; thread and address are" ;;
  esac
}
