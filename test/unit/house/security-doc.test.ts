/** docs/security.md is true: each line has a verdict, and every test that it names exists and runs. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const verdicts = ['held', 'partly', 'operator', 'none', 'open']

const rows = readFileSync(`${root}docs/security.md`, 'utf8')
  .split('\n')
  .filter((row) => /^\| (?:API|V)\d/.test(row))
  .map((row) => {
    const [line = '', verdict = '', stands = '', tests = ''] = row
      .split('|')
      .slice(1)
      .map((cell) => cell.trim())
    return { line, verdict, stands, tests: tests.split('<br>').filter(Boolean) }
  })

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

test('every test that docs/security.md names exists under that title', () => {
  const titles = titlesOfTests()
  expect(rows.flatMap(({ tests }) => tests).filter((title) => !titles.has(title))).toEqual([])
})

test('what docs/security.md calls held is held by a test', () => {
  expect(rows.filter(({ verdict, tests }) => verdict === 'held' && tests.length === 0)).toEqual([])
})

test('says how soon a hole of each severity is mended, in Panji and in what it is made of', () => {
  const text = readFileSync(new URL('../../../SECURITY.md', import.meta.url), 'utf8')
  const rows = [...text.matchAll(/^\| (Critical|High|Medium|Low) +\| (\d+) days? +\| .*?(\d+) days +\|$/gm)]
  expect(rows.map(([, severity]) => severity)).toEqual(['Critical', 'High', 'Medium', 'Low'])
  for (const column of [2, 3]) {
    const days = rows.map((row) => Number(row[column]))
    expect(days).toEqual(days.toSorted((a, b) => a - b))
  }
  expect(text).toContain('an advisory of a library that Panji ships')
})
