/** What the document shows of a list says what a row of it is: an empty one would teach nobody. */
import { expect, test } from 'vitest'
import { operations } from '../../../src/api/operations/index.ts'

/** Every list of an answer: the answer itself, and its members that hold its rows. */
function listsIn(example: unknown): (readonly unknown[])[] {
  if (Array.isArray(example)) return [example]
  if (typeof example !== 'object' || example === null) return []
  return ['data', 'results'].flatMap((name) => listsIn((example as Readonly<Record<string, unknown>>)[name]))
}

test('no example of a list is empty, and what it counts is not less than what it shows', () => {
  expect(operations.filter(({ example }) => listsIn(example).length > 0).length).toBeGreaterThan(40)
  const empty = operations.filter(({ example }) => listsIn(example).some((list) => list.length === 0))
  expect(empty.map(({ id }) => id)).toEqual([])
  const miscounted = operations.filter(({ example }) => {
    const { total } = (example ?? {}) as { readonly total?: unknown }
    return typeof total === 'number' && listsIn(example).some((list) => list.length > total)
  })
  expect(miscounted.map(({ id }) => id)).toEqual([])
})
