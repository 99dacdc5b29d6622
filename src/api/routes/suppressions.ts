/** /admin/suppressions: who objected. Values come in and never go out: an entry names nobody. Each act leaves an audit row. */
import { z } from 'zod'
import { addSuppressions, listSuppressions, removeSuppressions } from '../../access/suppressions.ts'
import { type Objection, readObjection, type SuppressionKind, suppressionKinds } from '../../domain/objection.ts'
import { timestamp, uuid } from '../formats.ts'
import { operatorOf } from '../hooks/operator.ts'
import { paging } from '../parameters.ts'
import type { Routes } from '../route-context.ts'
import { admin } from './admin.ts'

const valuesMax = 1000
const valuesOf = (kind: SuppressionKind, written: string) =>
  z
    .array(
      z
        .string()
        .max(320)
        .refine((text) => readObjection(kind, text) !== undefined, `must be ${written}`),
    )
    .max(valuesMax)
    .optional()
    .describe(`Each ${written}`)
const Values = {
  email: valuesOf('email', 'an e-mail address'),
  mobile: valuesOf('mobile', 'a mobile number'),
  din: valuesOf('din', 'a DIN, eight digits'),
}
const Entry = z
  .object({
    id: uuid('Of the entry'),
    kind: z.enum(suppressionKinds),
    reason: z.string().nullable(),
    reference: z.string().nullable().describe("The operator's own"),
    created_by: z.string(),
    created_at: timestamp(),
  })
  .meta({ id: 'Suppression' })
const example = { email: ['asha@example.in'], mobile: ['98123 45678'], reason: 'asked by letter', reference: 'OBJ-17' }

export const suppressionRoutes: Routes = async (app, { db, queue }) => {
  app.get(
    '/admin/suppressions',
    {
      schema: {
        operationId: 'listSuppressions',
        ...admin,
        summary: 'The suppression list, the newest entry first',
        description: 'People who object, by keyed hash: the list tells of nobody who they are.',
        querystring: z.object({
          kind: z.enum(suppressionKinds).optional().describe('Only entries of this kind'),
          ...paging(100),
        }),
        response: {
          200: z.object({
            data: z.array(Entry),
            total: z.number().describe('Entries on all pages'),
            page: z.number(),
            limit: z.number(),
          }),
        },
      },
    },
    async ({ query: { kind, page, limit } }) => ({
      ...(await listSuppressions(db, { kind, page, limit })),
      page,
      limit,
    }),
  )

  app.post(
    '/admin/suppressions',
    {
      config: { errors: ['UNPROCESSABLE', 'CONFLICT'] },
      schema: {
        operationId: 'addSuppressions',
        ...admin,
        summary: 'Withhold the contacts of people who object',
        description:
          'E-mail addresses and mobile numbers are null from the next answer on, and count as unreachable; a director is as ' +
          'unknown as one that never was. What had reached a CRM is recalled. A value that is on the list already stays as it is.',
        body: z
          .strictObject({
            ...Values,
            reason: z.string().max(500).optional().describe('For the operator; holds no personal data'),
            reference: z.string().max(200).optional().describe("The operator's own: a ticket, a letter"),
          })
          .meta({ examples: [example] }),
        response: {
          201: z.object({
            added: z.number().describe('Entries that were not on the list before'),
            data: z.array(Entry).describe('All entries that were asked for'),
          }),
        },
      },
    },
    async (request, reply) => {
      const { reason, reference } = request.body
      const asked = { objections: objectionsOf(request.body), reason, reference, actor: operatorOf(request) }
      const { added, entries } = await db.transaction((tx) => addSuppressions(tx, queue, asked))
      return reply.code(201).send({ added, data: [...entries] })
    },
  )

  app.delete(
    '/admin/suppressions',
    {
      schema: {
        operationId: 'removeSuppressions',
        ...admin,
        summary: 'Take entries from the suppression list',
        description:
          'By what they mean, or by id. What a CRM was asked to erase stays erased. Removing twice is no error.',
        body: z
          .strictObject({ ...Values, id: z.array(z.uuid()).max(valuesMax).optional().describe('Ids of entries') })
          .meta({ examples: [{ email: ['asha@example.in'] }] }),
        response: { 200: z.object({ removed: z.number() }) },
      },
    },
    async (request) => {
      const actor = operatorOf(request)
      const { id = [], ...values } = request.body
      return db.transaction(async (tx) => {
        const byValue = await removeSuppressions(tx, { objections: objectionsOf(values) }, actor)
        const byId = await removeSuppressions(tx, { ids: id }, actor)
        return { removed: byValue.removed + byId.removed }
      })
    },
  )
}

const objectionsOf = (body: { readonly [kind in SuppressionKind]?: string[] | undefined }): Objection[] =>
  suppressionKinds.flatMap((kind) => (body[kind] ?? []).flatMap((text) => readObjection(kind, text) ?? []))
