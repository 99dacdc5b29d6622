import { z } from 'zod'
import { changeKinds, readChanges } from '../../../ingest/conduct/read-changes.ts'
import { operation } from '../../operation.ts'
import { RunPath, runIdOf } from '../runs/run-schemas.ts'
import { changeFilters, changesChosen } from './change-filters.ts'

const Change = z
  .object({
    change_id: z.number(),
    entity: z.string().describe('company, gst, director, directorship, …'),
    identifier: z.string(),
    kind: z.enum(changeKinds),
    fields: z.array(z.string()).readonly().describe('Columns of the register that changed; empty for an insert'),
  })
  .meta({ id: 'RunChange' })

export default operation({
  id: 'listRunChanges',
  method: 'GET',
  path: '/admin/ingest/runs/:id/changes',
  summary: 'List the records that a run changed',
  description:
    'In the order in which the run wrote them. GET /admin/records/{entity}/{identifier}/history has the values. The next page starts after the last change_id.',
  caller: { role: 'viewer' },
  audit: { reads: 'history' },
  errors: ['NOT_FOUND'],
  params: RunPath,
  query: z.object({
    ...changeFilters,
    after: z
      .string()
      .regex(/^\d{1,15}$/, 'must be a change_id')
      .meta({ examples: ['0'] })
      .default('0')
      .describe('change_id after which the page starts'),
    limit: z.coerce.number().int().min(1).max(1000).default(100).describe('Changes per page'),
  }),
  reply: { 200: z.object({ data: z.array(Change).readonly(), more: z.boolean().describe('Others follow') }) },
  example: {
    data: [
      { change_id: 91, entity: 'company', identifier: 'U62099GA2026PTC000123', kind: 'update', fields: ['status'] },
    ],
    more: false,
  },
  handle: async ({ db }, { params, query }) =>
    readChanges(db, runIdOf(params.id), {
      ...changesChosen(query),
      after: Number(query.after),
      limit: query.limit,
    }),
})
