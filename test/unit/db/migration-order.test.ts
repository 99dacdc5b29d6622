import { expect, test } from 'vitest'
import { inOrder, listMigrations } from '../../../src/db/migrate.ts'
import { listSqlFunctions } from '../../../src/db/sql-functions.ts'

test('migrations are applied in the order of their numbers', () => {
  expect(inOrder(['0003_c.sql', '0001_a.sql', '0002_b.sql'])).toEqual(['0001_a.sql', '0002_b.sql', '0003_c.sql'])
})

test('a number that is missing, or that two files have, is refused by its number', () => {
  expect(() => inOrder(['0001_a.sql', '0003_c.sql'])).toThrow('no file has the number 2')
  expect(() => inOrder(['0001_a.sql', '0002_b.sql', '0002_c.sql'])).toThrow('2 files have the number 2')
})

test('a file whose name is no number and words is refused, so that none is passed over', () => {
  expect(() => inOrder(['0001_a.sql', '2_b.sql'])).toThrow('migrations/2_b.sql')
  expect(() => inOrder(['0001_A.sql'])).toThrow('migrations/0001_A.sql')
})

test('every function of the migrations has a file of its own, in its present form', () => {
  const migrated = new Set(
    listMigrations().flatMap(({ text }) =>
      [...text.matchAll(/CREATE (?:OR REPLACE )?FUNCTION ([a-z]+\.[a-z0-9_]+)/g)].map((match) => match[1] ?? ''),
    ),
  )
  const dropped = listMigrations().flatMap(({ text }) =>
    [...text.matchAll(/DROP FUNCTION (?:IF EXISTS )?([a-z]+\.[a-z0-9_]+)/g)].map((match) => match[1] ?? ''),
  )
  for (const name of dropped) migrated.delete(name)
  const filed = listSqlFunctions()
  expect([...migrated].filter((name) => !filed.some((each) => each.name === name))).toEqual([])
  for (const { name, text } of filed) {
    expect(text).toMatch(/^-- /)
    expect(text).toContain(`CREATE OR REPLACE FUNCTION ${name}(`)
  }
})

test('the first line of every migration is a comment that says why', () => {
  for (const { name, text } of listMigrations()) expect([name, /^--.*\S/.test(text)]).toEqual([name, true])
})
