/** How large a body its schema takes: never less than the longest that the schema accepts. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { exampleIds } from '../../../src/api/example-records.ts'
import { moment } from '../../../src/api/parameters.ts'
import { bodySizeOf } from '../../../src/api/request/body-size.ts'

const Body = z
  .strictObject({
    name: z.string().max(20),
    kind: z.enum(['a', 'bcd']),
    since: moment,
    rows: z.array(z.strictObject({ id: z.guid(), share: z.number().nullable() })).max(3),
  })
  .nullish()

test('the longest body that a schema accepts, however it is spelt and laid out, is within its size', () => {
  const longest = {
    name: '\u0001'.repeat(20),
    kind: 'bcd',
    since: '2026-04-01T00:00:00.123456789+05:30',
    rows: Array.from({ length: 3 }, () => ({ id: exampleIds.order, share: -Number.MAX_VALUE / 3 })),
  }
  expect(Body.safeParse(longest).success).toBe(true)
  const { bytes, entries } = bodySizeOf(Body)
  expect(JSON.stringify(longest, null, 4).length).toBeLessThanOrEqual(bytes)
  expect([bytes < 5_000, entries]).toEqual([true, 4 + 3 * 3])
})

test.each([
  ['a text without a length', z.strictObject({ text: z.string() })],
  ['a text whose pattern has no end', z.strictObject({ text: z.string().regex(/^a+$/) })],
  ['a list without a length', z.strictObject({ list: z.array(z.int()) })],
  ['members of any name', z.strictObject({ values: z.record(z.string().max(10), z.int()) })],
  ['a value of any kind', z.strictObject({ value: z.unknown() })],
])('%s has no end', (_what, schema) => {
  expect(bodySizeOf(schema).bytes).toBe(Number.POSITIVE_INFINITY)
})

test('what holds itself has no end', () => {
  const Tree = z.strictObject({
    get branches() {
      return z.array(Tree).max(2)
    },
  })
  expect(bodySizeOf(Tree).bytes).toBe(Number.POSITIVE_INFINITY)
})
