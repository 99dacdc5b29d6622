/** docs/decisions/ holds what a successor would otherwise undo: few records of one form, each found from the list. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('../../../docs/decisions/', import.meta.url))
const names = readdirSync(folder).filter((name) => name !== 'README.md')
const textOf = (name: string) => readFileSync(`${folder}${name}`, 'utf8')

test('there are at most fifty decisions, numbered from 1 without a gap', () => {
  expect(names.length).toBeLessThanOrEqual(50)
  expect(names.map((name) => Number(name.slice(0, 2))).sort((a, b) => a - b)).toEqual(
    names.map((_, index) => index + 1),
  )
})

test('every decision lists its options, the decision and its cost', () => {
  for (const name of names) {
    const [title = ''] = textOf(name).split('\n')
    expect(title, name).toMatch(new RegExp(`^# ${Number(name.slice(0, 2))}\\. \\S`))
    const headings = [...textOf(name).matchAll(/^## (.+)$/gm)].map((match) => match[1])
    expect(headings, name).toEqual(['Options', 'Decision', 'Price'])
    expect(
      textOf(name)
        .split(/^## .+$/m)[1]
        ?.match(/^- /gm)?.length,
      name,
    ).toBeGreaterThan(1)
  }
})

test('the list names every decision by its title', () => {
  const listed = [...textOf('README.md').matchAll(/^- \[(.+)\]\((.+)\)$/gm)].map(([, title, name]) => [
    name,
    `# ${title}`,
  ])
  expect(listed).toEqual([...names].sort().map((name) => [name, textOf(name).split('\n')[0]]))
})
