# Runs the steps of one job, one line of input each: <step> <attempt> <foreground|background>.
# After a job that left nothing behind it may be given another: enter - <folder>.
#
# Works in the folder of the job. A step's variables, directory and shell are in step-<step>.go-<attempt>; its output goes
# to step-<step>.out; step-<step>.exit-<attempt> is empty while it runs and holds its exit code afterwards.
# It outlives the agent: steps that run, also in the background, are ended and their codes recorded. At the end of the input
# it makes the file closed-<its name>, as it will begin nothing more, and goes away when the last step has ended.
# Nothing but the user's shell is executed: everything here is built into the shell.

# Caught, not ignored: what is ignored stays ignored in the user's processes, what is caught does not.
trap : TERM INT HUP PIPE

run() {
  (. "./step-$1.go-$2") </dev/null >>"step-$1.out" 2>&1
  code=$?
  if [ "$code" -ne 0 ]; then
    printf '\nExited with code exit status %s\n' "$code" >>"step-$1.out"
  fi
  printf '%s\n' "$code" >"step-$1.exit-$2"
  printf '%s %s %s\n' "$1" "$2" "$code"
}

while read -r step attempt mode; do
  if [ "$step" = enter ]; then
    cd "$mode" || exit 1
    continue
  fi
  # Before there is another process: what is not begun when the input is closed never will be.
  : >"step-$step.exit-$attempt"
  case $mode in
    # A process of its own has none of the traps: asked to end, it would go without the code of its step.
    background) { trap : TERM INT HUP PIPE; run "$step" "$attempt"; } & ;;
    *) run "$step" "$attempt" ;;
  esac
done
: >"closed-$1"
wait
