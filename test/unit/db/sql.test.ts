import { expect, test } from 'vitest'
import { literal, sql } from '../../../src/db/sql.ts'

test('texts and numbers of ours enter a statement as they are', () => {
  expect(sql`SELECT ${'a, b'} FROM ${'t'} LIMIT ${10}`).toBe('SELECT a, b FROM t LIMIT 10')
  expect(sql`'\\s' ~ ${'x'}`).toBe("'\\s' ~ x")
})

test.each([[undefined], [null], [Number.NaN], [['a', 'b']], [{}], [true]])('a part that is %s is no SQL', (part) => {
  expect(() => sql`SELECT ${part as unknown as string}`).toThrow('a statement has no place for')
})

test("a literal holds whatever config declares, and ends where it ends: People's", () => {
  expect(sql`coalesce(c, ${literal("People's")})`).toBe("coalesce(c, 'People''s')")
})
