/** A name that stands twice in one object of a body is found, however it is written and wherever it lies. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { repeatedName } from '../../../src/api/request/json-names.ts'
import { jsonShape } from '../../../src/api/request/json-shape.ts'

const found = (text: string) => repeatedName(text, JSON.parse(text), jsonShape(text, Number.POSITIVE_INFINITY).names)

test.each([
  ['{"credits": 5, "credits": 500}', 'credits'],
  ['{"a": {"b": [{"c": 1, "d": 2, "c": 3}]}}', 'c'],
  ['{"credits": 5, "cr\\u0065dits": 500}', 'credits'],
  ['{"a:b": ":", "a:b": "{"}', 'a:b'],
  ['{"": 1, "": 2}', ''],
  ['{"a\\"": 1, "b": "a\\"", "a\\"": 2}', 'a"'],
])('%s names %j twice', (text, name) => {
  expect(found(text)).toBe(name)
})

test('the same name in different objects, as a value or in another case is no repetition', () => {
  for (const text of ['{"a": {"a": [{"a": "a"}, {"a": 1}]}}', '{"a": 1, "A": 2}', '["a", "a", ":"]', '"a:b"', '1']) {
    expect(found(text)).toBeUndefined()
  }
})

test('what JSON.stringify writes repeats no name', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (text) => {
      expect(found(JSON.stringify(JSON.parse(text)))).toBeUndefined()
    }),
  )
})
