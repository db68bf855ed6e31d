import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTouched, topicIn } from './topics.ts'

const touchedBy = (topic: string, ...keys: readonly string[]) => keys.filter((key) => isTouched(topic, key.split(' ')))

const keys = ['projects', 'pipelines s', 'workflows p1', 'workflows p2', 'workflow w1', 'jobs w1', 'jobs w2', 'job j1']

test('a change of a workflow touches it and its jobs, and no other', () => {
  assert.deepEqual(touchedBy('workflow:w1', ...keys), ['workflow w1', 'jobs w1'])
})

test('a change of a pipeline touches its own workflows and the list it is in', () => {
  assert.deepEqual(touchedBy('pipeline:p1', ...keys), ['pipelines s', 'workflows p1'])
})

test('a change of a job touches its page, one of a project the lists of projects and pipelines', () => {
  assert.deepEqual(
    [touchedBy('job:j1', ...keys), touchedBy('project:x', ...keys)],
    [['job j1'], ['projects', 'pipelines s']],
  )
})

test('a topic that is not known touches everything', () => {
  assert.deepEqual(touchedBy('weather:rain', 'job j1', 'projects'), ['job j1', 'projects'])
  assert.deepEqual(touchedBy(topicIn('not JSON'), 'job j1'), ['job j1'])
})

test('the topic is read from the data of an event', () => {
  assert.equal(topicIn('{"topic":"job:j1"}'), 'job:j1')
})
