import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTouched, topicIn } from './topics.ts'

const touchedBy = (topic: string, ...keys: readonly string[]) => keys.filter((key) => isTouched(topic, key.split(' ')))

test('a change of a workflow touches its own page and the lists it is in', () => {
  const keys = ['projects', 'workflows p1', 'workflow w1', 'workflow w2', 'jobs w1', 'jobs w2', 'job j1', 'build b 1']
  assert.deepEqual(touchedBy('workflow:w1', ...keys), ['projects', 'workflows p1', 'workflow w1', 'jobs w1'])
})

test('a change of a job touches its page and the jobs of its workflow, whichever that is', () => {
  assert.deepEqual(touchedBy('job:j1', 'job j1', 'job j2', 'jobs w1', 'pipelines s'), ['job j1', 'jobs w1'])
})

test('a topic that is not known touches everything', () => {
  assert.deepEqual(touchedBy('weather:rain', 'job j1', 'projects'), ['job j1', 'projects'])
  assert.deepEqual(touchedBy(topicIn('not JSON'), 'job j1'), ['job j1'])
})

test('the topic is read from the data of an event', () => {
  assert.equal(topicIn('{"topic":"job:j1"}'), 'job:j1')
})
