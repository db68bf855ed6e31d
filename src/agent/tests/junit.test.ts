import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { junitReader } from './junit.ts'
import type { ParsedTest } from './parsed-test.ts'

/** Reads a file in pieces of so many characters; a problem stands behind what was read before it. */
function read(xml: string, size = 7): readonly (ParsedTest | string)[] {
  const found: (ParsedTest | string)[] = []
  const reader = junitReader((one) => found.push(one))
  try {
    for (let at = 0; at < xml.length; at += size) reader.write(xml.slice(at, at + size))
    reader.end()
  } catch (error) {
    found.push(error instanceof Error ? error.message : String(error))
  }
  return found
}

const problemIn = (found: ParsedTest | string | undefined) => (typeof found === 'string' ? found : 'none')

const suite = (cases: string) => `<?xml version="1.0"?><testsuite>${cases}</testsuite>`
const results = (cases: string) => read(suite(cases)).map((one) => (typeof one === 'string' ? one : one.result))
const messages = (cases: string) => read(suite(cases)).map((one) => (typeof one === 'string' ? one : one.message))

describe('JUnit XML', () => {
  test('a test case is told with all that its file says of it', () => {
    const xml = `<testsuites><testsuite name="s" file="suite.rb">
      <testcase classname="A::B" name="adds &lt;1&gt;" time="1,234.5"/>
      <testsuite><testcase classname="C" name="own" file="own.rb" time="x"><system-out>noise</system-out></testcase></testsuite>
      <testcase name="bare"/></testsuite></testsuites>`
    assert.deepEqual(read(xml), [
      { classname: 'A::B', name: 'adds <1>', file: 'suite.rb', result: 'success', message: '', runTime: 1234.5 },
      { classname: 'C', name: 'own', file: 'own.rb', result: 'success', message: '', runTime: 0 },
      { classname: '', name: 'bare', file: 'suite.rb', result: 'success', message: '', runTime: 0 },
    ])
  })

  test('the worst that a case tells of itself counts', () => {
    assert.deepEqual(
      results(`<testcase><skipped/></testcase><testcase><error/></testcase><testcase><failure/></testcase>
        <testcase><skipped/><failure/></testcase><testcase><failure/><error/><skipped/></testcase>
        <testcase><rerunFailure/></testcase>`),
      ['skipped', 'error', 'failure', 'failure', 'failure', 'success'],
    )
  })

  test('a message is the attribute, or else the text', () => {
    assert.deepEqual(
      messages(`<testcase><failure message="said">at x</failure></testcase>
        <testcase><failure> at <![CDATA[<line>]]> 3 </failure><system-err>no</system-err></testcase>
        <testcase><skipped>later</skipped></testcase><testcase><failure message=""><b>deep</b></failure></testcase>`),
      ['said', 'at <line> 3', 'later', 'deep'],
    )
  })

  test('beside its message a failure keeps its text and what the test printed; a test that passed keeps nothing', () => {
    const [failed, passed, said] = read(
      suite(`<testcase name="a"><system-out>one</system-out><failure message="said">at x\n at y</failure>
        <system-err><![CDATA[<two>]]></system-err></testcase>
        <testcase name="b"><system-out>noise</system-out></testcase>
        <testcase name="c"><failure message="same"> same </failure></testcase><system-out>of the suite</system-out>`),
    )
    assert.deepEqual(
      [failed, passed, said].map((one) => typeof one === 'object' && [one.message, one.details, one.printed]),
      [
        ['said', 'at x\n at y', 'one\n<two>'],
        ['', undefined, undefined],
        ['same', undefined, undefined],
      ],
    )
  })

  test('of much output the end is kept, of a long failure the beginning', () => {
    const [long] = read(
      suite(`<testcase><failure message="m">first ${'x'.repeat(200_000)}</failure>
        <system-out>${'y'.repeat(200_000)} last</system-out></testcase>`),
      4_096,
    )
    assert.ok(typeof long === 'object')
    assert.match(long.details ?? '', /^first x+$/)
    assert.match(long.printed ?? '', /^y+ last$/)
    assert.deepEqual([long.details?.length, long.printed?.length], [64 * 1024, 64 * 1024])
  })

  test('the same file gives the same tests however it is cut', () => {
    const xml = suite(`<testcase name="a"><failure message="m">t</failure></testcase><testcase name="b"/>`)
    for (const size of [1, 2, 3, 50, 10_000]) assert.deepEqual(read(xml, size), read(xml))
  })

  test('test cases outside of a suite do not count, and another root is no JUnit', () => {
    assert.deepEqual(read('<testsuites><testcase name="a"/></testsuites>'), [])
    assert.match(
      problemIn(read('<html><testsuite/></html>')[0]),
      /root element must be testsuites or testsuite: it is html/,
    )
  })

  test('what was read before a file breaks off is kept, and its end is told', () => {
    const [first, problem] = read('<testsuite><testcase name="a"/><testcase name="b"')
    assert.equal(typeof first === 'object' && first.name, 'a')
    assert.match(problemIn(problem), /unclosed tag/)
    assert.match(problemIn(read('')[0]), /document must contain a root element/)
  })

  test('entities of a file are not known: nothing is fetched, nothing grows', () => {
    const bomb = `<!DOCTYPE a [<!ENTITY x "${'y'.repeat(100)}"><!ENTITY f SYSTEM "file:///etc/passwd">]>`
    assert.match(problemIn(read(`${bomb}<testsuite><testcase name="&x;"/></testsuite>`)[0]), /undefined entity/)
    assert.match(problemIn(read(`${bomb}<testsuite><testcase name="&f;"/></testsuite>`)[0]), /undefined entity/)
  })

  test('what would not fit into memory is refused', () => {
    const long = 'x'.repeat(1024 * 1024)
    const endless = function* () {
      yield '<testsuite><testcase name="'
      for (let i = 0; i < 20; i++) yield long
    }
    const reader = junitReader(() => {})
    assert.throws(() => {
      for (const piece of endless()) reader.write(piece)
    }, /a text is longer than/)
    assert.match(problemIn(read(`<testsuite>${'<a>'.repeat(200)}`)[0]), /more than 100 deep/)
    const many = Array.from({ length: 600 }, (_, i) => `a${i}=""`).join(' ')
    assert.match(problemIn(read(`<testsuite ${many}/>`)[0]), /more than 500 attributes/)
  })
})
