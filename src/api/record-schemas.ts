/** The schemas of records in answers, built from `config/fields`: a member per column of the answer. */
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
  // A feed is ordered by its day, so every record has one.
  if (kind === 'date' && surface === 'feed') return z.string().describe('Timestamp without zone, 2024-05-01T00:00:00.')
  const schema = schemas[kind]()
  const nullable = kind === 'identifier' || isFilled ? schema : schema.nullable()
  const described = note ?? (kind === 'amount' ? 'INR' : undefined)
  return described === undefined ? nullable : nullable.describe(described)
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
  email: () => email('As in the register'),
}
