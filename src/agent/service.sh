#!/bin/sh
# What a step can ask of the agent that runs it: halting, and everything that needs files, timings or the server.
#
# A question is a handful of files in the mailbox of the job: <id>.args (NUL between them), <id>.in, <id>.env, and at last an
# empty <id>.go. The agent writes <id>.out, <id>.err, <id>.run (a command to be given <id>.out) and <id>.code, and rings
# <id>.bell, so that nobody looks again and again. An agent that was started again answers what the one before it did not.
# The wait ends with the step: by its answer, by its time without output, or with the job.
# Nothing is needed but this shell: cat, mkfifo, sleep and rm are used where they are.

fail() {
  printf '%s\n' "$1" >&2
  exit 1
}

home=${SERVICE_SHELL_ENV-${CIRCLE_SHELL_ENV-${BASH_ENV-}}}
[ -n "$home" ] || fail 'Cannot reach the agent: SERVICE_SHELL_ENV is not set'
home=${home%/*}

case "${1-} ${2-}" in
  'step halt' | 'task halt')
    : >"$home/halt"
    exit
    ;;
esac

has() {
  command -v "$1" >/dev/null 2>&1
}

copy() {
  if has cat; then
    cat
  else
    while IFS= read -r line || [ -n "$line" ]; do printf '%s\n' "$line"; done
  fi
}

[ -d "$home/mail" ] || fail 'Cannot reach the agent: it has no mailbox here'
mask=$(umask)
# The agent may be another user than the step.
umask 0
n=0
until (set -C && : >"$home/mail/$$-$n.args") 2>/dev/null; do
  n=$((n + 1))
  [ "$n" -lt 1000 ] || fail 'Cannot reach the agent: its mailbox takes nothing'
done
ask=$home/mail/$$-$n

printf '%s\000' "$PWD" "${SERVICE_NODE_INDEX-${CIRCLE_NODE_INDEX-}}" "${SERVICE_NODE_TOTAL-${CIRCLE_NODE_TOTAL-}}" "$@" >"$ask.args"
case "${1-} ${2-} $#" in
  'env subst 2') copy >"$ask.in" ;;
  'tests split '* | 'tests run '*)
    # What a shell gives as a file and is none, as `<(...)`, only this process can read.
    for word; do
      case $word in /dev/fd/* | /dev/stdin) copy <"$word" >>"$ask.in" ;; esac
    done
    [ -e "$ask.in" ] || [ -t 0 ] || copy >"$ask.in"
    ;;
esac
[ "${1-}" != env ] || export -p >"$ask.env"

if has mkfifo && mkfifo "$ask.bell" 2>/dev/null; then
  exec 9<>"$ask.bell"
  : >"$ask.go"
  read -r code <&9
  exec 9<&-
else
  : >"$ask.go"
  until [ -s "$ask.code" ]; do
    sleep 0.1 2>/dev/null || sleep 1 2>/dev/null
  done
  read -r code <"$ask.code"
fi
umask "$mask"

[ ! -s "$ask.err" ] || copy <"$ask.err" >&2
if [ -s "$ask.run" ]; then
  sh "$ask.run" <"$ask.out"
  code=$?
elif [ -s "$ask.out" ]; then
  copy <"$ask.out"
fi
rm -f "$ask".* 2>/dev/null
exit "$code"
