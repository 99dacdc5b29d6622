import { z } from 'zod'
import type { Queryable } from '../../../db/db.ts'
import { operatorsOf, type ScreenerType, screenerFields, screenerTypes } from '../../../registry/screener/fields.ts'
import { columnOf, heldWordsByColumn } from '../../../registry/words/word-counts.ts'
import { operation } from '../../operation.ts'
import example from './list-fields.example.json' with { type: 'json' }
import { Type } from './screener-schemas.ts'

export default operation({
  id: 'listScreenerFields',
  method: 'GET',
  path: '/api/screener/fields',
  summary: 'List the fields, operators and example values of the screener language',
  description:
    'A query compares fields and combines comparisons with AND, OR, NOT and parentheses. Text is in single quotes; amounts ' +
    'may use lakh and crore, as in paidUpCapital > 10 lakh. Equality ignores case in names, identifiers, places and listed values. ' +
    'Days may be relative to today in India: >= this month, IN LAST 7 DAYS, since 1 April.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  seesAll: true,
  query: z.object({ type: Type.optional().describe('Only the fields of this type') }),
  reply: {
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
              .describe(
                'Known values, including those that the register holds in addition; others can be searched too',
              ),
            counts: z
              .array(z.object({ value: z.string(), records: z.number() }).meta({ id: 'HeldValue' }))
              .describe('Records of the register per value, as counted after its last merge'),
            example: z.string(),
          })
          .meta({ id: 'ScreenerField' }),
      ),
    }),
  },
  example,
  handle: async ({ db }, request) => {
    const types = request.query.type ? [request.query.type] : screenerTypes
    return { data: (await Promise.all(types.map((type) => describeFields(db, type)))).flat() }
  },
})

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
      aliases,
      kind,
      description,
      operators: operatorsOf[kind],
      values: [...new Set([...values, ...counts.map(({ value }) => value)])],
      counts,
      example,
    }
  })
}
