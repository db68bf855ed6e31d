import { join } from 'node:path'
import type { JobSpec, StepSpec } from '#contract/agent.ts'
import type { Command, Place } from './executors/executor.ts'
import { quoted } from './executors/words.ts'

type CheckoutStep = Extract<StepSpec, { type: 'checkout' }>

/**
 * The command that brings the job's revision into a directory.
 * It gets a clean environment: no variable of the user, no configuration from the job's home, no hook can change what it does,
 * and no credential stands in an argument, in the repository's configuration or in the log.
 */
export function checkoutCommand(
  spec: JobSpec,
  step: CheckoutStep,
  directory: string,
  place: Place,
): Omit<Command, 'step' | 'attempt'> {
  const { url, revision, branch, tag, with_job_token, private_key } = spec.checkout
  const settings: [string, string][] = [
    ['core.hooksPath', '/dev/null'],
    ['core.fsmonitor', 'false'],
    ['advice.detachedHead', 'false'],
    ['gc.auto', '0'],
    ['safe.directory', '*'],
    ...(with_job_token ? [[`http.${url}.extraHeader`, `Authorization: Bearer ${spec.token}`] as [string, string]] : []),
  ]
  return {
    script: checkRefs(spec) ?? script,
    shell: ['/bin/sh', '-eu'],
    directory,
    background: false,
    environment: {
      ...place.environment,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ALLOW_PROTOCOL: 'http:https:ssh:git:file',
      ...(private_key !== null && {
        GIT_SSH_COMMAND: sshCommand(place.inside),
        CHECKOUT_KEY: keyFile(place.inside),
        CHECKOUT_KEY_TEXT: private_key.trimEnd(),
      }),
      GIT_CONFIG_COUNT: String(settings.length),
      ...Object.fromEntries(
        settings.flatMap(([key, value], i) => [
          [`GIT_CONFIG_KEY_${i}`, key],
          [`GIT_CONFIG_VALUE_${i}`, value],
        ]),
      ),
      CHECKOUT_URL: url,
      CHECKOUT_REVISION: revision,
      CHECKOUT_BRANCH: tag === null ? (branch ?? '') : '',
      CHECKOUT_TAG: tag ?? '',
      CHECKOUT_METHOD: step.method,
      CHECKOUT_DEPTH: String(step.depth ?? 1),
    },
  }
}

/** A script that says what is wrong, if the job names something that git would take for an option or a path. */
function checkRefs({ checkout: { url, revision, branch, tag } }: JobSpec): string | undefined {
  const fail = (what: string, value: string) =>
    `printf '%s\\n' ${quoted(`Cannot check out as the ${what} is not valid: ${value}`)}\nexit 1\n`
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(revision)) return fail('revision', revision)
  if (url.startsWith('-') || /[\0-\x20\x7f]/.test(url)) return fail('address of the repository', url)
  for (const [what, ref] of [
    ['branch', branch],
    ['tag', tag],
  ] as const) {
    if (ref !== null && !isRef(ref)) return fail(what, ref)
  }
  return undefined
}

/** What git accepts as the rest of `refs/heads/`. */
const isRef = (ref: string) =>
  ref !== '' && !/^[-/.]|[/.]$|\.\.|\/\/|\/\.|@\{|\.lock(?:\/|$)|[\0-\x20\x7f~^:?*[\\]/.test(ref)

const keyFile = (folder: string) => join(folder, 'checkout-key')

function sshCommand(folder: string): string {
  const file = keyFile(folder)
  const hosts = join(folder, 'known-hosts')
  return `ssh -F /dev/null -i ${quoted(file)} -o IdentitiesOnly=yes -o BatchMode=yes -o StrictHostKeyChecking=accept-new -o UserKnownHostsFile=${quoted(hosts)}`
}

/** How git says that the other side could not be reached, or went away: worth another try, as nothing else is. */
const passing = [
  'onnection refused',
  'ailed to connect',
  "ouldn't connect",
  'onnection reset',
  'onnection timed out',
  'mpty reply',
  'early EOF',
  'RPC failed',
  'returned error: 5',
  'hung up unexpectedly',
]

const script = `
# The server may be starting again just now: for about a minute.
fetch() {
  tries=0
  while :; do
    said=$(git fetch --quiet "$@" 2>&1) && code=0 || code=$?
    [ -z "$said" ] || printf '%s\\n' "$said"
    [ "$code" -ne 0 ] || return 0
    case $said in
      ${passing.map((words) => `*${quoted(words)}*`).join(' | ')}) ;;
      *) return "$code" ;;
    esac
    tries=$((tries + 1))
    [ "$tries" -le 10 ] || return "$code"
    echo 'Trying again'
    sleep "$tries"
  done
}

if [ -n "\${CHECKOUT_KEY-}" ]; then
  trap 'rm -f "$CHECKOUT_KEY"' EXIT
  # Written here, as only here its owner is whoever runs git.
  (umask 077 && printf '%s\\n' "$CHECKOUT_KEY_TEXT" >"$CHECKOUT_KEY")
  unset CHECKOUT_KEY_TEXT
fi
if [ -e .git ]; then
  echo 'Fetching into the existing repository'
  git remote set-url -- origin "$CHECKOUT_URL" 2>/dev/null || git remote add -- origin "$CHECKOUT_URL"
else
  for entry in * .[!.]* ..?*; do
    if [ -e "$entry" ] || [ -L "$entry" ]; then
      printf 'Cannot check out into %s: it holds other files and is not a git repository\\n' "$PWD"
      exit 1
    fi
  done
  printf 'Cloning %s\\n' "$CHECKOUT_URL"
  git init --quiet
  git remote add -- origin "$CHECKOUT_URL"
fi
git config gc.auto 0

case $CHECKOUT_METHOD in
  shallow) set -- --depth "$CHECKOUT_DEPTH" ;;
  blobless)
    git config remote.origin.promisor true
    git config remote.origin.partialclonefilter blob:none
    set -- --filter=blob:none ;;
  *) set -- ;;
esac

if [ "$CHECKOUT_METHOD" = shallow ]; then
  fetch --no-tags "$@" -- origin "$CHECKOUT_REVISION"
else
  fetch --force --tags "$@" -- origin '+refs/heads/*:refs/remotes/origin/*'
  # A branch may have moved on, or the revision may come from elsewhere: a pull request of a fork.
  git cat-file -e "$CHECKOUT_REVISION^{commit}" 2>/dev/null || fetch "$@" -- origin "$CHECKOUT_REVISION"
fi

if [ -n "$CHECKOUT_TAG" ]; then
  if [ "$CHECKOUT_METHOD" = shallow ]; then
    fetch --force "$@" -- origin "+refs/tags/$CHECKOUT_TAG:refs/tags/$CHECKOUT_TAG"
  fi
  git checkout --quiet --force "refs/tags/$CHECKOUT_TAG"
  git reset --quiet --hard "$CHECKOUT_REVISION"
elif [ -n "$CHECKOUT_BRANCH" ]; then
  git checkout --quiet --force --no-track -B "$CHECKOUT_BRANCH" "$CHECKOUT_REVISION"
else
  git checkout --quiet --force --detach "$CHECKOUT_REVISION"
fi
git --no-pager log --no-color --no-show-signature -n 1 --format='HEAD is now at %h %s'
`
