/** The place of a fault is told where `JSON.parse` finds one, and nowhere else. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonFault } from '../../../src/api/request/json-fault.ts'

const damage = fc.constantFrom(
  '',
  ',',
  ':',
  '"',
  "'",
  '{',
  '}',
  '[',
  ']',
  '\\',
  '\n',
  '0',
  'x',
  'tru',
  '-',
  '.',
  'e',
  '\u0000',
  '\u2028',
)
/** Texts of JSON, in some of which a piece is replaced. */
const texts = fc
  .tuple(fc.json({ maxDepth: 4 }), fc.boolean(), fc.nat(), fc.nat(3), damage)
  .map(([json, isSpaced, place, length, piece]) => {
    const text = isSpaced ? JSON.stringify(JSON.parse(json), null, 2) : json
    const at = place % (text.length + 1)
    return text.slice(0, at) + piece + text.slice(at + length)
  })

function stopOf(text: string): { readonly position: number | undefined } | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    const position = /at position (\d+)/.exec(String(error))?.[1]
    return { position: position === undefined ? undefined : Number(position) }
  }
}

test('a fault is found in exactly the texts that JSON.parse refuses, and in the word at which it stops', () => {
  let placed = 0
  fc.assert(
    fc.property(texts, (text) => {
      const fault = jsonFault(text)
      const stop = stopOf(text)
      expect(fault !== undefined, text).toBe(stop !== undefined)
      if (fault === undefined || stop?.position === undefined) return
      placed += 1
      // A word is named by its beginning, an escape by its backslash.
      expect(fault.offset, text).toBeLessThanOrEqual(stop.position)
      expect(text.slice(fault.offset, stop.position), text).toMatch(/^[\w.+\\-]*$/)
    }),
    { numRuns: 4_000, seed: 20_261_121 },
  )
  expect(placed).toBeGreaterThan(300)
})

test('a text that is nested deeply, or very long, is read to its end', () => {
  expect(jsonFault('['.repeat(500_000))).toMatchObject({ offset: 500_000 })
  expect(jsonFault(`["${'a\\n'.repeat(300_000)}"`)).toMatchObject({ offset: 900_003 })
  expect(jsonFault('['.repeat(5_000) + ']'.repeat(5_000))).toBeUndefined()
})

test('lines end as editors see them', () => {
  expect(jsonFault('{\r\n"a": 1,\r\n}')).toMatchObject({ line: 3, column: 1 })
})
