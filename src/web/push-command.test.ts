import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addCommand, connectCommand, nameInUrl, pushCommand } from './push-command.ts'

const here = { protocol: 'http:', host: 'localhost:3000' }

test('the command pushes the current branch to the git host of this server', () => {
  assert.equal(
    pushCommand(here, { token: 'rh_1', org: 'ada', repo: 'engine' }),
    'git push http://rh_1@localhost:3000/git/ada/engine.git HEAD',
  )
})

test('until there is a token, a shell cannot stumble over the placeholder', () => {
  assert.equal(
    pushCommand(here, { token: undefined, org: 'ada', repo: 'engine' }),
    "git push 'http://<token>@localhost:3000/git/ada/engine.git' HEAD",
  )
})

test('a name cannot smuggle another command in', () => {
  const command = pushCommand(here, { token: 't', org: '$(x)', repo: 'a; rm -rf ~ #' })
  assert.equal(command, "git push 'http://t@localhost:3000/git/%24(x)/a-rm--rf-.git' HEAD")
})

test('a repository is called by the end of its URL', () => {
  const urls = ['https://host/org/repo.git', 'git@host:org/repo.git', 'https://host/org/repo/', 'repo', '']
  assert.deepEqual(urls.map(nameInUrl), ['repo', 'repo', 'repo', 'repo', ''])
})

test('what adds a repository is one command, whatever its names hold', () => {
  const added = { token: 't', url: " https://host/o/it's.git ", organization: 'ada', name: "it's" }
  assert.equal(
    addCommand(here, added),
    `curl -X POST -H 'Service-Token: t' 'http://localhost:3000/api/rh/v1/project' \\
  -H 'Content-Type: application/json' -d '{"url":"https://host/o/it'\\''s.git","organization":"ada","name":"it'\\''s"}'`,
  )
  assert.match(
    connectCommand(here, { ...added, name: 'web', provider: 'provider-c' }),
    /"provider":"provider-c".*\ncurl .* 'http:\/\/localhost:3000\/api\/rh\/v1\/project\/provider-c\/ada\/web\/receivers'$/s,
  )
})
