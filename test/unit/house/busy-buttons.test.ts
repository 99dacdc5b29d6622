/** A button that is disabled while what it began is under way loses the focus of whoever pressed it by keyboard; see look/busy-button.tsx. */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url)
const whileUnderWay = /\sdisabled=\{[^}]*(?:fetching|pending|busy)/gi

test('no button takes the focus of whoever pressed it away while it works', () => {
  const paths = globSync('web/src/**/*.tsx', { cwd: root })
  expect(paths.length).toBeGreaterThan(100)
  const found = paths.flatMap((path) => {
    const source = readFileSync(new URL(path, root), 'utf8')
    return [...source.matchAll(whileUnderWay)].map(
      ({ index }) => `${path}:${source.slice(0, index).split('\n').length}`,
    )
  })
  expect(found).toEqual([])
})
