/**
 * The columns that a response shows or the screener accepts, with their names and order, derived from the lists in this
 * folder.
 */
import type { Column, Columns, Surface } from './column.ts'
import { fields, leading, type Register } from './index.ts'

/** A column with its name in a kind of response. */
export interface Shown {
  readonly column: string
  readonly name: string
  readonly definition: Column
}

/** The columns of a response, in its order. */
export const shownOn = (register: Register, surface: Surface): Shown[] =>
  ordered(register, surface, (column) => column.on.includes(surface))

/** The columns of a lead with their names in its flat row. */
export const cellsOfLead = (register: Register): Shown[] =>
  shownOn(register, 'lead').map((shown) => ({ ...shown, name: shown.definition.as?.row ?? shown.name }))

/** The columns that the screener accepts. */
export const screenerColumns = (register: Register): Shown[] =>
  ordered(register, 'screener', (column) => column.ask !== undefined)

function ordered(register: Register, as: Surface | 'screener', belongs: (column: Column) => boolean): Shown[] {
  const columns: Columns = fields[register]
  const order = [...new Set([...(leading[register][as] ?? []), ...Object.keys(columns)])]
  return order.flatMap((column) => {
    const definition = columns[column]
    return definition && definition.name !== null && belongs(definition)
      ? [{ column, name: definition.as?.[as] ?? definition.name, definition }]
      : []
  })
}
