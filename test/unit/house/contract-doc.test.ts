/** docs/contract.md is complete and true: it has every line of the specification, and every test it names exists. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { fieldTitles } from '../../integration/contract/fields.ts'
import { sharedFolder } from '../../support/shared-data.ts'
import { specificationLines } from '../../support/specification.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
// A line of the change history that a later one takes back in part is held only where it still stands.
const states = ['held', 'overtaken by Jul 2026', 'no rule']

const rows = readFileSync(`${root}docs/contract.md`, 'utf8')
  .split('\n')
  .filter((row) => row.startsWith('| ') && !row.startsWith('| Section') && !row.startsWith('| -'))
  .map((row) => {
    const [section = '', line = '', state = '', tests = ''] = row
      // In a cell a bar is written with a backslash before it.
      .split(/(?<!\\)\|/)
      .slice(1)
      .map((cell) => cell.trim().replaceAll('\\|', '|'))
    return { section, line, state, tests: tests.split('<br>').filter(Boolean) }
  })

function titlesOfTests(): Set<string> {
  const titles = new Set(fieldTitles())
  for (const file of globSync('test/{integration,security,conformance,story}/**/*.test.ts', { cwd: root })) {
    const source = readFileSync(`${root}${file}`, 'utf8')
    const named = /(?:\b(?:test|it)|\))\(\s*(['"`])((?:\\.|(?!\1).)+)\1/g
    for (const match of source.matchAll(named)) titles.add(match[2] ?? '')
  }
  return titles
}

test('every test that docs/contract.md names exists under that title', () => {
  const titles = titlesOfTests()
  expect(rows.flatMap(({ tests }) => tests).filter((title) => !titles.has(title))).toEqual([])
  expect(titles.has('a title that no test has')).toBe(false)
})

test('every line of docs/contract.md is held by a test or says that it states no rule', () => {
  expect(rows.length).toBeGreaterThan(300)
  expect(rows.filter(({ state }) => !states.includes(state))).toEqual([])
  expect(rows.filter(({ state, tests }) => (state === 'no rule') === tests.length > 0)).toEqual([])
  // What says nothing is what the specification itself calls not shown, and its first sentence.
  const silent = rows.filter(({ state }) => state === 'no rule').map(({ line }) => line)
  expect(silent.filter((line) => !/not shown|This single document|is an HTTP API/.test(line))).toEqual([])
})

const specification = `${sharedFolder}/spec/api.md`
if (!existsSync(specification))
  console.log(`skipped: ${specification} not found; docs/contract.md is not compared with it`)

test.skipIf(!existsSync(specification))('docs/contract.md has every line of the specification, in its order', () => {
  const stated = rows.map(({ section, line }) => ({ section, line }))
  expect(stated).toEqual(specificationLines(readFileSync(specification, 'utf8')))
})
