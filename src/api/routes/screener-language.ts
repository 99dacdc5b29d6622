/** What helps to write a query of the screener language: its fields, and how a query was read. Neither uses a limit. */
import { z } from 'zod'
import { explainQuery } from '../../registry/screener/explain.ts'
import { operatorsOf, screenerFields, screenerTypes } from '../../registry/screener/fields.ts'
import type { Routes } from '../route-context.ts'
import { Query, Type } from './screener.ts'

const tags = ['Screener']

export const screenerLanguageRoutes: Routes = async (app, { dearReads }) => {
  app.get(
    '/api/screener/fields',
    {
      schema: {
        tags,
        summary: 'Fields, operators and example values of the screener language',
        description:
          'A query compares fields and joins comparisons with AND, OR, NOT and brackets. Text stands in single quotes.',
        querystring: z.object({ type: Type.optional().describe('Only the fields of this type') }),
        response: {
          200: z.object({
            data: z.array(
              z.object({
                type: Type,
                name: z.string(),
                aliases: z.array(z.string()),
                kind: z.string(),
                description: z.string(),
                operators: z.array(z.string()),
                values: z.array(z.string()).describe('Known values; others are searched too'),
                example: z.string(),
              }),
            ),
          }),
        },
      },
    },
    async (request) => ({ data: (request.query.type ? [request.query.type] : screenerTypes).flatMap(describeFields) }),
  )

  app.post(
    '/api/screener/explain',
    {
      schema: {
        tags,
        summary: 'Explain a query without running it',
        description: 'The canonical form shows how the query was read; indexes and estimates come from the planner.',
        body: z.object({ query: Query, type: Type }).meta({ examples: [{ query: "State == 'Goa'", type: 'company' }] }),
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
      const explained = await dearReads.run(request, (db) => explainQuery(db, request.body.type, request.body.query))
      return { ...explained, indexes: [...explained.indexes] }
    },
  )
}

function describeFields(type: (typeof screenerTypes)[number]) {
  return screenerFields[type].map(({ name, aliases, kind, description, values, example }) => ({
    type,
    name,
    aliases: [...aliases],
    kind,
    description,
    operators: [...operatorsOf[kind]],
    values: [...values],
    example,
  }))
}
