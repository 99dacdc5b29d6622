import { expect, test } from 'vitest'
import { sources } from '../../../config/sources/index.ts'
import { fieldNames, historyEntities, withheldColumns } from '../../../src/registry/history/field-names.ts'

test.each(historyEntities)(
  'every column that a snapshot of a %s fills has one name in histories, or is withheld',
  (entity) => {
    const filled = sources.filter((source) => source.entity === entity).flatMap(({ columns }) => Object.keys(columns))
    expect(filled.length).toBeGreaterThan(3)
    const names = fieldNames[entity]
    expect(filled.filter((column) => Object.hasOwn(names, column) === withheldColumns.includes(column))).toEqual([])
    expect(new Set(Object.values(names)).size).toBe(Object.keys(names).length)
  },
)
