import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { surfaces } from '../../../config/fields/column.ts'
import { fields, leading, type Register } from '../../../config/fields/index.ts'
import { screenerColumns, shownOn } from '../../../config/fields/shown.ts'
import { sources } from '../../../config/sources/index.ts'
import { renderFields } from '../../../scripts/render-fields.ts'

const registers = Object.keys(fields) as Register[]

test('docs/fields.md says what config/fields declares (else: npm run docs)', () => {
  expect(readFileSync(new URL('../../../docs/fields.md', import.meta.url), 'utf8')).toBe(renderFields())
})

test.each(registers)('no two columns of a %s have one name in the same answer, or in the screener', (register) => {
  for (const shown of [...surfaces.map((surface) => shownOn(register, surface)), screenerColumns(register)]) {
    const names = shown.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  }
})

test.each(registers)('what leads an answer of a %s is shown by it', (register) => {
  for (const surface of [...surfaces, 'screener'] as const) {
    const shown = surface === 'screener' ? screenerColumns(register) : shownOn(register, surface)
    const named = leading[register][surface] ?? []
    expect(shown.slice(0, named.length).map(({ column }) => column)).toEqual(named)
  }
})

test('the words of a column are those that its source reads it by', () => {
  const read = sources.flatMap(({ entity, columns }) =>
    Object.entries(columns).flatMap(([column, rule]) =>
      rule.kind === 'word' ? [[`${entity}.${column}`, rule.vocabulary]] : [],
    ),
  )
  const told = registers.flatMap((register) =>
    Object.entries(fields[register]).map(([column, { words }]: [string, { words?: string }]) => [
      `${register}.${column}`,
      words,
    ]),
  )
  const declared = Object.fromEntries(told)
  expect(read.length).toBeGreaterThan(5)
  for (const [column, vocabulary] of read) expect([column, declared[String(column)]]).toEqual([column, vocabulary])
})
