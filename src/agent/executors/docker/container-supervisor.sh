# Runs the steps of one job inside its container, one line of input each: <step> <attempt> <foreground|background>.
#
# $1 is the folder that is shared with the agent, $2 the one in which the agent puts steps, and which cannot be written here.
# A step's variables, directory and shell are in step-<step>.go-<attempt>; its output goes to step-<step>.out;
# step-<step>.exit-<attempt> is empty before it runs, holds a line while it does, and one more with its exit code afterwards.
# Nothing but the user's shell is executed: an image may hold nothing else.
trap : TERM INT HUP PIPE
cd "$1" || exit 1
steps=$2
# Nobody's home, as of a user without a name, cannot be worked in.
case ${HOME:-/} in
  /) [ -w / ] && HOME=/ || HOME=$1/home ;;
esac
export HOME
bash=no
[ -x /bin/bash ] && bash=yes
printf 'ready\n%s\n%s\n%s\n' "$bash" "$HOME" "$PATH"
run() {
  # Said twice, run once.
  [ -s "step-$1.exit-$2" ] && return
  printf 'begun\n' >>"step-$1.exit-$2"
  (. "$steps/step-$1.go-$2") </dev/null >>"step-$1.out" 2>&1
  code=$?
  if [ "$code" -ne 0 ]; then
    printf '\nExited with code exit status %s\n' "$code" >>"step-$1.out"
  fi
  printf '%s\n' "$code" >>"step-$1.exit-$2"
  printf 'ended %s %s %s\n' "$1" "$2" "$code"
}
while read -r step attempt mode; do
  case $mode in
    # A process of its own has none of the traps: asked to end, it would go without the code of its step.
    background) { trap : TERM INT HUP PIPE; run "$step" "$attempt"; } & ;;
    *) run "$step" "$attempt" ;;
  esac
done
