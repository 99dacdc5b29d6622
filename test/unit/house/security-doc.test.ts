/** docs/security.md is true: each line has a verdict, and every test that it names exists and runs. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const verdicts = ['held', 'partly', 'operator', 'none', 'open']

const text = readFileSync(`${root}docs/security.md`, 'utf8')
const rows = text
  .split('\n')
  .filter((row) => /^\| (?:API|V)\d/.test(row))
  .map((row) => {
    const [line = '', verdict = '', stands = '', tests = ''] = row
      .split('|')
      .slice(1)
      .map((cell) => cell.trim())
    return { line, verdict, stands, tests: tests.split('<br>').filter(Boolean) }
  })
/** Rules have no verdict: each stands, and is held by tests. */
const rules = text
  .slice(text.indexOf('## The rule behind each'), text.indexOf('## OWASP ASVS'))
  .split('\n')
  .filter((row) => row.startsWith('| ') && !/^\| (?:Risk|---)/.test(row))
  .map((row) => row.split('|').map((cell) => cell.trim()))
  .map(([, risk = '', rule = '', tests = '']) => ({ risk, rule, tests: tests.split('<br>').filter(Boolean) }))

/** How many requirements of levels 1 and 2 each section of ASVS 5.0.0 has: in all of them these come first. */
const sections: Readonly<Record<string, readonly number[]>> = {
  V1: [2, 9, 11, 3, 2],
  V2: [3, 3, 4, 1],
  V3: [0, 2, 4, 6, 5, 0, 2],
  V4: [3, 1, 2, 4],
  V5: [1, 3, 2, 3],
  V6: [3, 12, 4, 4, 5, 3, 0, 4],
  V7: [3, 4, 2, 5, 2, 2],
  V8: [2, 3, 1, 1],
  V9: [3, 4],
  V10: [2, 2, 4, 11, 5, 2, 3],
  V11: [2, 3, 3, 4, 1, 1],
  V12: [3, 2, 4],
  V13: [1, 5, 2, 5],
  V14: [2, 4, 3],
  V15: [3, 3, 7],
  V16: [1, 5, 4, 3, 3],
  V17: [1, 4, 2],
}
const requirements = Object.entries(sections).flatMap(([chapter, counts]) =>
  counts.flatMap((count, section) => Array.from({ length: count }, (_, n) => `${chapter}.${section + 1}.${n + 1}`)),
)

/** A line may name several, `V6.6.1, V6.6.4`, or all from one to another, `V10.4.1 to V10.7.3`. */
function isNamed(requirement: string, line: string): boolean {
  const order = (id: string) =>
    id
      .slice(1)
      .split('.')
      .reduce((sum, part) => sum * 100 + Number(part), 0)
  const spans = [...line.matchAll(/(V\d+\.\d+\.\d+)(?: to (V\d+\.\d+\.\d+))?/g)]
  return spans.some(([, from = '', to = from]) => order(from) <= order(requirement) && order(requirement) <= order(to))
}

function titlesOfTests(): Set<string> {
  const titles = new Set<string>()
  for (const file of globSync('test/**/*.test.ts', { cwd: root })) {
    const source = readFileSync(`${root}${file}`, 'utf8')
    for (const match of source.matchAll(/(?:\b(?:test|it)|\))\(\s*(['"`])((?:\\.|(?!\1).)+)\1/g))
      titles.add(match[2] ?? '')
  }
  return titles
}

test('every line of docs/security.md has a verdict and says what stands', () => {
  expect(rows.length).toBeGreaterThan(70)
  expect(rows.filter(({ verdict, stands }) => !verdicts.includes(verdict) || stands === '')).toEqual([])
})

test('each requirement of ASVS 5.0.0 at levels 1 and 2 has one line, and the lines are counted', () => {
  expect(requirements).toHaveLength(253)
  const wrong = requirements.filter((each) => rows.filter(({ line }) => isNamed(each, line)).length !== 1)
  expect(wrong).toEqual([])
  const counts = verdicts.map((each) => rows.filter(({ line, verdict }) => /^V/.test(line) && verdict === each).length)
  const [held, partly, operator, none, open] = counts
  expect(open).toBe(0)
  expect(text).toContain(
    `Lines: ${held} held, ${partly} partly, ${operator} the operator's, ${none} that do not apply, none open.`,
  )
})

test('each rule that makes a kind of fault impossible is held by a test', () => {
  expect(rules.length).toBeGreaterThan(15)
  expect(rules.filter(({ rule, tests }) => rule === '' || tests.length === 0)).toEqual([])
})

test('every test that docs/security.md names exists under that title', () => {
  const titles = titlesOfTests()
  expect([...rows, ...rules].flatMap(({ tests }) => tests).filter((title) => !titles.has(title))).toEqual([])
})

test('what docs/security.md calls held is held by a test', () => {
  expect(rows.filter(({ verdict, tests }) => verdict === 'held' && tests.length === 0)).toEqual([])
})

test('says how soon a hole of each severity is fixed, in Panji and in what it is made of', () => {
  const text = readFileSync(new URL('../../../SECURITY.md', import.meta.url), 'utf8')
  const rows = [...text.matchAll(/^\| (Critical|High|Medium|Low) +\| (\d+) days? +\| .*?(\d+) days +\|$/gm)]
  expect(rows.map(([, severity]) => severity)).toEqual(['Critical', 'High', 'Medium', 'Low'])
  for (const column of [2, 3]) {
    const days = rows.map((row) => Number(row[column]))
    expect(days).toEqual(days.toSorted((a, b) => a - b))
  }
  expect(text).toContain('an advisory of a library that Panji ships')
})
