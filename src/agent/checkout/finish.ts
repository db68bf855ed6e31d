import type { Place } from '#agent/executors/executor.ts'
import { quoted } from '#agent/executors/words.ts'
import { settingsOf } from './git.ts'
import type { Source } from './source.ts'

/**
 * Makes the job's home what jobs expect (A6): its key and the keys of hosts in `~/.ssh`, settings in `~/.gitconfig`. What
 * the job has there stays. A repository of the built-in git host is opened by a credential in a file of its own, which no repository and no
 * list of processes names. ssh takes its home from the list of users, not from HOME, so git is told where its files are.
 */
const prepareHome = `
prepare_home() {
  if [ -n "\${CHECKOUT_KEY-}" ]; then
    mkdir -p "$HOME/.ssh" && chmod 700 "$HOME/.ssh"
    rm -f "$HOME/.ssh/id_rsa"
    (umask 077 && printf '%s\\n' "$CHECKOUT_KEY" >"$HOME/.ssh/id_rsa")
    if [ -n "$CHECKOUT_HOSTS" ]; then
      known=
      [ ! -f "$HOME/.ssh/known_hosts" ] || known=$(cat "$HOME/.ssh/known_hosts")
      case $known in
        *"$CHECKOUT_HOSTS"*) ;;
        *) printf '%s\\n' "$CHECKOUT_HOSTS" >>"$HOME/.ssh/known_hosts" ;;
      esac
    fi
  fi
  if [ -n "\${CHECKOUT_CREDENTIAL-}" ]; then
    rm -f "$HOME/.git-job-credential"
    (umask 077 && printf 'username=job\\npassword=%s\\n' "$CHECKOUT_CREDENTIAL" >"$HOME/.git-job-credential")
  fi
  if [ ! -e "$HOME/.gitconfig" ]; then
    printf '%s' "$CHECKOUT_GITCONFIG" >"$HOME/.gitconfig"
  elif command -v git >/dev/null; then
    set_once gc.auto 0
    if [ -n "\${CHECKOUT_KEY-}" ]; then
      set_once core.sshCommand "$CHECKOUT_SSH"
      [ -z "$CHECKOUT_SSH_BASE" ] || set_once "url.$CHECKOUT_SSH_BASE.insteadOf" "$CHECKOUT_WEB_BASE"
    fi
    [ -z "\${CHECKOUT_CREDENTIAL-}" ] || set_once "credential.$CHECKOUT_HOST.helper" "$CHECKOUT_HELPER"
    if [ -n "\${CHECKOUT_THROUGH-}" ]; then
      set_once "url.$CHECKOUT_THROUGH.insteadOf" "$CHECKOUT_URL"
      set_once "url.$CHECKOUT_URL.pushInsteadOf" "$CHECKOUT_URL"
    fi
  fi
}
set_once() {
  git config --file "$HOME/.gitconfig" --get "$1" >/dev/null || git config --file "$HOME/.gitconfig" "$1" "$2"
}
`

/** For places without git: only the home is made ready. */
export const homeScript = `${prepareHome}
prepare_home 2>/dev/null || :
`

/**
 * Finishes a checkout inside the place: the repository is in `.git`, or beside it where the job has one already.
 * What it makes of it belongs to whoever runs it, and the index fits the files.
 */
export const finishScript = `${prepareHome}
prepare_home || echo 'Cannot write to the home of this user: no settings of git are kept there'
# Elsewhere git trusts only folders of its own user; the job has said that it wants this one.
if [ ! -O . ] || [ ! -O .git ]; then
  git config --file "$HOME/.gitconfig" --add safe.directory "$PWD" || :
fi
if [ -z "$CHECKOUT_SEED" ]; then
  # What cannot be used must not be taken for the job's own the next time.
  trap '[ "$?" -eq 0 ] || rm -rf .git' EXIT
  git reset --quiet --hard "$CHECKOUT_REVISION"
else
  trap 'rm -rf "$CHECKOUT_SEED"' EXIT
  git remote set-url -- origin "$CHECKOUT_URL" 2>/dev/null || git remote add -- origin "$CHECKOUT_URL"
  if [ "$CHECKOUT_METHOD" = shallow ]; then
    git fetch --quiet --force --no-tags --update-shallow -- "$CHECKOUT_SEED" HEAD '+refs/tags/*:refs/tags/*'
  else
    packs=$(git rev-parse --git-path objects/pack)
    mkdir -p "$packs"
    cp -f "$CHECKOUT_SEED"/objects/pack/pack-* "$packs"
    if [ "$CHECKOUT_METHOD" = blobless ]; then
      git config remote.origin.promisor true
      git config remote.origin.partialclonefilter blob:none
    fi
    git -c fetch.unpackLimit=1 fetch --quiet --force --no-tags --prune --update-head-ok -- "$CHECKOUT_SEED" HEAD \\
      '+refs/remotes/origin/*:refs/remotes/origin/*' '+refs/tags/*:refs/tags/*'
  fi
  git config gc.auto 0
  if [ -n "$CHECKOUT_BRANCH" ]; then
    git checkout --quiet --force --no-track -B "$CHECKOUT_BRANCH" "$CHECKOUT_REVISION"
  else
    git checkout --quiet --force --detach "$CHECKOUT_REVISION"
  fi
fi
git --no-pager log --no-color --no-show-signature -n 1 --format='HEAD is now at %h %s'
`

/** What the scripts are told. Nothing of the job's own variables is among it, and no hook or setting of the job takes part. */
export function finishEnvironment(place: Place, source: Source, more: Readonly<Record<string, string>>) {
  const { url, origin = url, revision, branch, tag, private_key, credential } = source
  const host = credential === undefined ? undefined : new URL(url).origin
  const ssh = sshBase(url)
  const command = `ssh -i ${quoted(`${place.home}/.ssh/id_rsa`)} -o UserKnownHostsFile=${quoted(`${place.home}/.ssh/known_hosts`)}`
  return {
    ...place.environment,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: 'file',
    ...settingsOf({
      'core.hooksPath': '/dev/null',
      'core.fsmonitor': 'false',
      'advice.detachedHead': 'false',
      'gc.auto': '0',
      'safe.directory': '*',
      'submodule.recurse': 'false',
    }),
    CHECKOUT_URL: origin,
    ...(origin !== url && { CHECKOUT_THROUGH: url }),
    CHECKOUT_REVISION: revision,
    CHECKOUT_BRANCH: tag === null ? (branch ?? '') : '',
    CHECKOUT_GITCONFIG: gitconfig(private_key === null ? undefined : { command, ssh }, host, source),
    ...(private_key !== null && {
      CHECKOUT_KEY: private_key.trimEnd(),
      CHECKOUT_SSH: command,
      CHECKOUT_SSH_BASE: ssh ?? '',
      CHECKOUT_WEB_BASE: ssh?.replace(/^ssh:\/\/[^@]*@/, 'https://') ?? '',
    }),
    ...(credential !== undefined && {
      CHECKOUT_CREDENTIAL: credential,
      CHECKOUT_HOST: host ?? '',
      CHECKOUT_HELPER: helper,
    }),
    ...more,
  }
}

/** How git asks for the credential: only to read it, as git would have one that was refused forgotten. */
const helper = '!f() { [ "$1" != get ] || cat "$HOME/.git-job-credential"; }; f'

/** The address of the host of a repository that is reached by SSH, as it is written before the path of another on it. */
function sshBase(url: string): string | undefined {
  const [, base] = /^(ssh:\/\/(?:[^@/]+@)?[^/:]+)\//.exec(url) ?? []
  if (base !== undefined) return base.includes('@') ? base : base.replace('ssh://', 'ssh://git@')
  const [, user, host] = /^([^@/:]+)@([^/:[\]]+):/.exec(url) ?? []
  return host === undefined ? undefined : `ssh://${user}@${host}`
}

function gitconfig(
  key: { readonly command: string; readonly ssh: string | undefined } | undefined,
  host: string | undefined,
  { url, origin = url }: Source,
): string {
  const quotes = (text: string) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
  const lines = [
    '[gc]',
    '\tauto = 0',
    ...(key ? ['[core]', `\tsshCommand = ${quotes(key.command)}`] : []),
    ...(key?.ssh !== undefined
      ? [`[url ${quotes(key.ssh)}]`, `\tinsteadOf = ${quotes(key.ssh.replace(/^ssh:\/\/[^@]*@/, 'https://'))}`]
      : []),
    ...(host !== undefined ? [`[credential ${quotes(host)}]`, `\thelper = ${quotes(helper)}`] : []),
    // Read here, and pushed to where it is: what the job has to do that with is its own affair.
    ...(origin !== url
      ? [
          `[url ${quotes(url)}]`,
          `\tinsteadOf = ${quotes(origin)}`,
          `[url ${quotes(origin)}]`,
          `\tpushInsteadOf = ${quotes(origin)}`,
        ]
      : []),
  ]
  return `${lines.join('\n')}\n`
}
