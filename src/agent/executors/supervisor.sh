# Runs the steps of one job, one line of input each: <step> <attempt> <foreground|background>.
# After a job that left nothing behind it may be given another: enter - <folder>.
#
# Works in the folder of the job. A step's variables, directory and shell are in step-<step>.go-<attempt>; its output goes
# to step-<step>.out; step-<step>.exit-<attempt> is empty while it runs and holds its exit code afterwards.
# It outlives the agent: steps that run, also in the background, are ended and their codes recorded; at the end of the input it goes away.
# Nothing but the user's shell is executed: everything here is built into the shell.

# Caught, not ignored: what is ignored stays ignored in the user's processes, what is caught does not.
trap : TERM INT HUP PIPE

run() {
  : >"step-$1.exit-$2"
  (. "./step-$1.go-$2") </dev/null >>"step-$1.out" 2>&1
  code=$?
  if [ "$code" -ne 0 ]; then
    printf '\nExited with code exit status %s\n' "$code" >>"step-$1.out"
  fi
  printf '%s\n' "$code" >"step-$1.exit-$2"
  printf '%s %s %s\n' "$1" "$2" "$code"
}

while read -r step attempt mode; do
  case $step:$mode in
    enter:*) cd "$mode" || exit 1 ;;
    *:background) run "$step" "$attempt" & ;;
    *) run "$step" "$attempt" ;;
  esac
done
wait
