import { expect, test } from 'vitest'
import { fields } from '../../../config/fields/index.ts'
import { sources } from '../../../config/sources/index.ts'
import { fieldNames, historyEntities } from '../../../src/registry/history/field-names.ts'

test.each(historyEntities)('the columns that snapshots of a %s fill are those that are declared', (entity) => {
  const filled = sources.filter((source) => source.entity === entity).flatMap(({ columns }) => Object.keys(columns))
  expect(filled.length).toBeGreaterThan(3)
  expect(new Set(filled)).toEqual(new Set(Object.keys(fields[entity])))
})

test.each(historyEntities)('no two columns of a %s have one name in histories', (entity) => {
  const names = Object.values(fieldNames[entity])
  expect(new Set(names).size).toBe(names.length)
})

test('a date of birth, a key of a name and a second e-mail address are in no history', () => {
  const named = historyEntities.flatMap((entity) => Object.keys(fieldNames[entity]))
  expect(named.filter((column) => ['born_on', 'name_key', 'emails', 'id'].includes(column))).toEqual([])
})
