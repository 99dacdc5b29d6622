/** The schemas of records as answers show them, made of `config/fields`: a member per column that the answer has. */
import { z } from 'zod'
import type { Answer } from '../../config/fields/answer.ts'
import type { Column, Surface } from '../../config/fields/column.ts'
import type { Register } from '../../config/fields/index.ts'
import { shownOn } from '../../config/fields/shown.ts'
import { day, email } from './formats.ts'

type Members<R extends Register, S extends Surface> = {
  [N in keyof Answer<R, S>]: z.ZodType<Answer<R, S>[N]>
}

/** In the order of the answer. */
export function membersOf<R extends Register, S extends Surface>(register: R, surface: S): Members<R, S> {
  return Object.fromEntries(
    shownOn(register, surface).map(({ name, definition }) => [name, schemaOf(definition, surface)]),
  ) as Members<R, S>
}

function schemaOf(column: Column, surface: Surface): z.ZodType {
  const { kind, note, isFilled } = column
  // The day of a feed is what its records are ordered by, so each has one.
  if (kind === 'date' && surface === 'feed') return z.string().describe('Timestamp without zone, 2024-05-01T00:00:00.')
  const schema = schemas[kind]()
  const nullable = kind === 'identifier' || isFilled ? schema : schema.nullable()
  const told = note ?? (kind === 'amount' ? 'INR' : undefined)
  return told === undefined ? nullable : nullable.describe(told)
}

const text = () => z.string()
const schemas: Readonly<Record<Column['kind'], () => z.ZodType>> = {
  identifier: text,
  name: text,
  text,
  code: text,
  amount: () => z.number(),
  integer: () => z.number(),
  date: () => day('YYYY-MM-DD'),
  list: () => z.array(z.string()),
  email: () => email('As the register has it'),
}
