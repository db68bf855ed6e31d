import { variablesOf } from '#config/environment.ts'
import type { Trail } from '#config/trail.ts'
import { get, type MapNode, type Node, type Place } from '#config/yaml/node.ts'
import { nodeOf, type Written } from '#config/yaml/node-of.ts'

/** Where artifacts are collected; steps find it in their environment. */
export const artifactsFolder = '~/circle-artifacts'
/** Where test reports are collected; steps find it in their environment. */
export const reportsFolder = '~/circle-junit'

/** The environment of the whole job: what is plain text. The rest has to be worked out by a shell. */
export function plainEnvironment(machine: Node | undefined, trail: Trail): Record<string, Written> {
  const timezone = get(machine, 'timezone')
  const plain = variablesOf(get(machine, 'environment'), trail).filter(({ value }) => !needsShell(value))
  return {
    ...(timezone?.kind === 'scalar' && { TZ: timezone.text }),
    ...Object.fromEntries(plain.map(({ name, value }) => [name, value])),
  }
}

const needsShell = (value: Node) => value.kind === 'scalar' && /[$`]/.test(value.text)

/** The steps that make a machine what its section asks for. */
export function machineSteps(machine: Node | undefined, place: Place, trail: Trail): readonly Node[] {
  const steps = [run('Prepare folders and variables', preparation(machine, trail), place)]
  for (const [host, { value }] of mapEntries(get(machine, 'hosts'))) {
    const address = value.kind === 'scalar' ? value.text : ''
    steps.push(run(`Add host ${host}`, `echo ${quote(`${address} ${host}`)} | sudo tee -a /etc/hosts`, value))
  }
  for (const [language, manager] of managers) {
    const version = get(get(machine, language), 'version')
    if (version?.kind === 'scalar')
      steps.push(run(`Use ${language} ${version.text}`, manager(quote(version.text)), version))
  }
  const services = get(machine, 'services')
  for (const service of services?.kind === 'list' ? services.items : []) {
    if (service.kind === 'scalar')
      steps.push(run(`Start ${service.text}`, `sudo service ${quote(service.text)} start || true`, service))
  }
  return steps
}

/** Variables may use each other and the shell's own, so they are set where every later step reads them. */
function preparation(machine: Node | undefined, trail: Trail): string {
  const shelled = variablesOf(get(machine, 'environment'), trail).filter(({ value }) => needsShell(value))
  const exports = [
    'export CIRCLE_ARTIFACTS="$HOME/circle-artifacts"',
    'export CIRCLE_TEST_REPORTS="$HOME/circle-junit"',
    ...shelled.map(
      ({ name, value }) => `export ${name}="${value.kind === 'scalar' ? value.text.replace(/["\\]/g, '\\$&') : ''}"`,
    ),
  ]
  const lines = exports.map((line) => `echo ${quote(line)} >> "$BASH_ENV"`)
  return ['mkdir -p "$HOME/circle-artifacts" "$HOME/circle-junit"', ...lines].join('\n')
}

const managers: readonly (readonly [language: string, script: (version: string) => string])[] = [
  ['node', (version) => using('$HOME/.nvm/nvm.sh', `nvm install ${version}`, `nvm use ${version}`)],
  ['ruby', (version) => using('$HOME/.rvm/scripts/rvm', `rvm install ${version}`, `rvm use ${version}`)],
  [
    'python',
    (version) =>
      `if command -v pyenv; then pyenv install -s ${version}; pyenv global ${version}; else python --version; fi`,
  ],
]

/** A machine without the manager keeps the version it has. */
function using(script: string, install: string, use: string): string {
  const later = quote(`. "${script}" && ${use} > /dev/null`)
  return `if [ -s "${script}" ]; then . "${script}"; ${install}; echo ${later} >> "$BASH_ENV"; else echo "Cannot find ${script}"; fi`
}

function run(name: string, command: string, place: Place): Node {
  return nodeOf({ run: { name, command } }, place)
}

/** A text as one word of a shell. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const mapEntries = (node: Node | undefined): Iterable<readonly [string, { readonly value: Node }]> =>
  node?.kind === 'map' ? (node satisfies MapNode).entries : []
