import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url)
const flow = readFileSync(new URL('docs/flow.md', root), 'utf8')

/** Code spans that name a file or a folder of the repository. */
function pathsIn(text: string): string[] {
  return [...text.matchAll(/`([a-z]+\/[^`\s]+)`/g)].map(([, path = '']) => path)
}

test('every path that docs/flow.md names exists', () => {
  const paths = pathsIn(flow)
  expect(paths.length).toBeGreaterThanOrEqual(10)
  expect(paths.filter((path) => !existsSync(new URL(path, root)))).toEqual([])
})

test('a path that does not exist is noticed', () => {
  const [missing = ''] = pathsIn('as `src/nowhere/nothing.ts` shows')
  expect(missing).toBe('src/nowhere/nothing.ts')
  expect(existsSync(new URL(missing, root))).toBe(false)
})

test('each flow is described in ten numbered sentences', () => {
  const flows = flow.split('\n## ').filter((section) => /^\d+\. /m.test(section))
  expect(flows).toHaveLength(2)
  for (const section of flows) {
    const numbers = [...section.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number))
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  }
})
