import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Circumstances, decideTrust, type Origin, type Source } from './trust.ts'

const both = [true, false] as const
const sources: readonly Source[] = ['own', 'fork']
const origins: readonly Origin[] = ['push', 'pull-request', 'api', 'schedule']

const all: readonly Circumstances[] = both.flatMap((actorMayBuild) =>
  sources.flatMap((source) =>
    origins.flatMap((origin) =>
      both.flatMap((buildsForks) =>
        both.map((passesSecretsToForks) => ({ actorMayBuild, source, origin, buildsForks, passesSecretsToForks })),
      ),
    ),
  ),
)

/** A line for each verdict: `member fork pull-request build pass -> trusted`. */
function line(about: Circumstances): string {
  const verdict = decideTrust(about)
  const asked = [
    about.actorMayBuild ? 'member' : 'stranger',
    about.source,
    about.origin,
    about.buildsForks ? 'build' : '-',
    about.passesSecretsToForks ? 'pass' : '-',
  ].join(' ')
  if (!verdict.builds) return `${asked} -> nothing`
  return `${asked} -> ${verdict.trust}${verdict.needsApproval ? ' after approval' : ''}`
}

test('the code of the project itself is trusted, whoever brings it, however it comes, whatever the settings', () => {
  const verdicts = all.filter(({ source }) => source === 'own').map(decideTrust)
  assert.equal(verdicts.length, 32)
  for (const verdict of verdicts) assert.deepEqual(verdict, { builds: true, trust: 'trusted', needsApproval: false })
})

test('code of a fork is built only in a pull request, only where the project wants that, and a stranger waits for approval', () => {
  const built = all
    .filter(({ source }) => source === 'fork')
    .map(line)
    .filter((said) => !said.endsWith('nothing'))
  assert.deepEqual(built, [
    'member fork pull-request build pass -> trusted',
    'member fork pull-request build - -> fork',
    'stranger fork pull-request build pass -> trusted after approval',
    'stranger fork pull-request build - -> fork after approval',
  ])
})
