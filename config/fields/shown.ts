/** Which columns an answer shows or the screener takes, under which names and in which order: made of the lists beside. */
import type { Column, Columns, Surface } from './column.ts'
import { fields, leading, type Register } from './index.ts'

/** A column under the name that one kind of answer gives it. */
export interface Shown {
  readonly column: string
  readonly name: string
  readonly told: Column
}

/** The columns that an answer shows, in its order. */
export const shownOn = (register: Register, surface: Surface): Shown[] =>
  ordered(register, surface, (column) => column.on.includes(surface))

/** The columns of a lead under their names in its flat row. */
export const cellsOfLead = (register: Register): Shown[] =>
  shownOn(register, 'lead').map((shown) => ({ ...shown, name: shown.told.as?.row ?? shown.name }))

/** The columns that the screener takes. */
export const askedOf = (register: Register): Shown[] =>
  ordered(register, 'screener', (column) => column.ask !== undefined)

function ordered(register: Register, as: Surface | 'screener', belongs: (column: Column) => boolean): Shown[] {
  const columns: Columns = fields[register]
  const order = [...new Set([...(leading[register][as] ?? []), ...Object.keys(columns)])]
  return order.flatMap((column) => {
    const told = columns[column]
    return told && told.name !== null && belongs(told) ? [{ column, name: told.as?.[as] ?? told.name, told }] : []
  })
}
