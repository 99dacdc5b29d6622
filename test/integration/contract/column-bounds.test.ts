/** What the table refuses, the request's schema refuses before: by its own answer, and not as an error of ours. */
import { expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { operationsOf, type Schema } from '../../support/openapi.ts'

const database = useTestDatabase()
const api = useApi(database)

interface Bounds {
  readonly name: string
  readonly least: number
  readonly most: number
}

/** Numeric columns that a check holds between two bounds. */
async function columns(): Promise<Bounds[]> {
  const rows = await database.db.query<{ name: string; least: string; most: string }>(
    `SELECT attname AS name, bounds[1] AS least, bounds[2] AS most
     FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND conkey = ARRAY[attnum]
     CROSS JOIN LATERAL regexp_match(pg_get_constraintdef(pg_constraint.oid),
       '>= [(]*([0-9.]+).*AND.*<= [(]*([0-9.]+)') AS bounds
     WHERE contype = 'c' AND atttypid::regtype::text IN ('smallint', 'integer', 'bigint', 'real', 'double precision') AND bounds IS NOT NULL`,
  )
  return rows.map(({ name, least, most }) => ({ name, least: Number(least), most: Number(most) }))
}

/** Numeric members of a request body, each by its path: `budget_day`. */
function membersOf(schema: Schema, named: Readonly<Record<string, Schema>>, path: readonly string[] = []): Bounds[] {
  const { type, minimum, maximum, $ref } = schema
  const own = typeof $ref === 'string' ? named[$ref.split('/').at(-1) ?? ''] : undefined
  const inner = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => (schema[key] as Schema[] | undefined) ?? [])
  const properties = Object.entries((schema['properties'] as Readonly<Record<string, Schema>> | undefined) ?? {})
  return [
    ...(type === 'integer' || type === 'number'
      ? [{ name: path.join('_'), least: Number(minimum ?? -Infinity), most: Number(maximum ?? Infinity) }]
      : []),
    ...[...inner, ...(own ? [own] : [])].flatMap((each) => membersOf(each, named, path)),
    ...properties.flatMap(([name, each]) => membersOf(each, named, [...path, name])),
  ]
}

test('no numeric member of a request may be more or less than the check of its column allows', async () => {
  const { components } = (await api.get('/openapi.json')).json()
  const bodies = (await operationsOf(api)).flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}))
  const members = bodies.flatMap(({ schema }) => membersOf(schema, components.schemas))
  const bounded = await columns()
  const met = bounded.map((column) => ({ column, of: members.filter(({ name }) => name.endsWith(column.name)) }))
  expect(met.filter(({ of }) => of.length > 0).map(({ column }) => column.name)).toEqual(
    expect.arrayContaining(['budget_day', 'budget_month', 'budget_run', 'batch_size', 'customer_share', 'adopt_from']),
  )
  const wider = met.flatMap(({ column, of }) => of.filter((m) => m.least < column.least || m.most > column.most))
  expect(wider).toEqual([])
})
