/**
 * What an element says only as `title` is said to a mouse alone: not to a keyboard, and not to a finger. The pages say it in sight, or
 * behind a `Tip`, which is pressed.
 */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url)
/** That an attribute at the end of this text would be of. */
const lastTag = (before: string): string => [...before.matchAll(/<([A-Za-z]\w*)/g)].at(-1)?.[1] ?? ''

/** Lines on which an element of HTML has a `title`; those of our own components are headings of theirs. */
function hoverTexts(path: string): string[] {
  const source = readFileSync(new URL(path, root), 'utf8')
  return [...source.matchAll(/\stitle=/g)].flatMap(({ index }) => {
    const before = source.slice(0, index)
    return /^[a-z]/.test(lastTag(before)) ? [`${path}:${before.split('\n').length}`] : []
  })
}

test('no page hides words where only a mouse finds them', () => {
  const paths = globSync('web/src/**/*.tsx', { cwd: root })
  expect(paths.length).toBeGreaterThan(100)
  expect(paths.flatMap(hoverTexts)).toEqual([])
})
