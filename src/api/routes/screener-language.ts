/** What helps to write a query of the screener language: its fields, and how a query was read. Neither uses a limit. */
import { z } from 'zod'
import { soldRegistrations } from '../../access/sold-registrations.ts'
import type { Queryable } from '../../db/db.ts'
import { explainQuery } from '../../registry/screener/explain.ts'
import { operatorsOf, type ScreenerType, screenerFields, screenerTypes } from '../../registry/screener/fields.ts'
import { columnOf, heldWordsByColumn } from '../../registry/words/held-words.ts'
import { dearErrors } from '../documented-errors.ts'
import { principalOf, type Routes } from '../route-context.ts'
import { Query, Type } from './screener-schemas.ts'

const tags = ['Screener']

export const screenerLanguageRoutes: Routes = async (app, { db, dearReads }) => {
  app.get(
    '/api/screener/fields',
    {
      schema: {
        operationId: 'listScreenerFields',
        tags,
        summary: 'Fields, operators and example values of the screener language',
        description:
          'A query compares fields and joins comparisons with AND, OR, NOT and brackets. Text stands in single quotes; amounts ' +
          'may be written with lakh and crore, as in paidUpCapital > 10 lakh. Equality takes any case and spacing of a value.',
        querystring: z.object({ type: Type.optional().describe('Only the fields of this type') }),
        response: {
          200: z.object({
            data: z.array(
              z
                .object({
                  type: Type,
                  name: z.string(),
                  aliases: z.array(z.string()),
                  kind: z.string(),
                  description: z.string(),
                  operators: z.array(z.string()),
                  values: z
                    .array(z.string())
                    .describe('Known values, with those that the register holds beside them; others are searched too'),
                  counts: z
                    .array(z.object({ value: z.string(), records: z.number() }).meta({ id: 'HeldValue' }))
                    .describe('Records of each value that the register holds, as counted after its last merge'),
                  example: z.string(),
                })
                .meta({ id: 'ScreenerField' }),
            ),
          }),
        },
      },
    },
    async (request) => {
      const types = request.query.type ? [request.query.type] : screenerTypes
      return { data: (await Promise.all(types.map((type) => describeFields(db, type)))).flat() }
    },
  )

  app.post(
    '/api/screener/explain',
    {
      config: { errors: ['NO_DATASET_ACCESS', 'QUERY_SYNTAX', ...dearErrors] },
      schema: {
        operationId: 'explainQuery',
        tags,
        summary: 'Explain a query without running it',
        description: 'The canonical form shows how the query was read; indexes and estimates come from the planner.',
        body: z
          .strictObject({ query: Query, type: Type })
          .meta({ examples: [{ query: "State == 'Goa'", type: 'company' }] }),
        response: {
          200: z.object({
            canonical: z.string(),
            indexes: z.array(z.string()),
            estimated_rows: z.number(),
            estimated_cost: z.number(),
          }),
        },
      },
    },
    async (request) => {
      const { type, query } = request.body
      const sold = await soldRegistrations(db, principalOf(request), type)
      const explained = await dearReads.run(request, (dearDb) => explainQuery(dearDb, type, query, sold))
      return { ...explained, indexes: [...explained.indexes] }
    },
  )
}

async function describeFields(db: Queryable, type: ScreenerType) {
  const listed = screenerFields[type].filter(({ vocabulary }) => vocabulary !== undefined)
  const held = await heldWordsByColumn(
    db,
    type,
    listed.map(({ column }) => columnOf(column)),
  )
  return screenerFields[type].map(({ name, aliases, kind, column, description, values, example }) => {
    const counts = (held.get(columnOf(column)) ?? []).map(({ word, records }) => ({ value: word, records }))
    return {
      type,
      name,
      aliases: [...aliases],
      kind,
      description,
      operators: [...operatorsOf[kind]],
      values: [...new Set([...values, ...counts.map(({ value }) => value)])],
      counts,
      example,
    }
  })
}
