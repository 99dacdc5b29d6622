/** As of which day the parts of a register were last seen, for operators over HTTP; and how a day that was too late is taken back. */
import { z } from 'zod'
import { sources } from '../../../config/sources/index.ts'
import { AppError } from '../../errors.ts'
import { askToLower, listScopes } from '../../ingest/conduct/lower-scopes.ts'
import { audit } from '../../trail/audit.ts'
import { day } from '../formats.ts'
import { operatorOf } from '../hooks/operator.ts'
import { calendarDay, plainText, reasonText } from '../parameters.ts'
import type { Routes } from '../route-context.ts'
import { admin } from './admin.ts'

const SourcePath = z.object({ source: z.string().meta({ description: 'Source', examples: ['mca-companies'] }) })
const scopeName = z.string().describe('Part of the register: a registrar, a state code, or *')
const ScopeDays = z.object({
  data: z.array(
    z
      .object({
        scope: scopeName,
        as_of: day('Day as of which it was last seen whole'),
        run_id: z.number().describe('The run that saw it'),
      })
      .meta({ id: 'ScopeDay' }),
  ),
})
const Wish = z
  .strictObject({
    to: calendarDay.describe('Day of the newest snapshot that it truly was seen in'),
    reason: reasonText('Written into the audit log'),
    scopes: z
      .array(plainText(200).min(1))
      .min(1)
      .max(500)
      .optional()
      .describe('These parts only; all of the source unless told'),
  })
  .meta({ examples: [{ to: '2025-10-01', reason: "the file's name was mistyped" }] })
const Lowering = z
  .object({
    source: z.string(),
    to: day('That they will count as seen on'),
    scopes: z
      .array(
        z
          .object({ scope: scopeName, before: day('Until then'), after: day('From then on') })
          .meta({ id: 'LoweredScope' }),
      )
      .readonly(),
  })
  .meta({ id: 'LoweredScopes' })

export const adminScopeRoutes: Routes = async (app, { db, queue }) => {
  app.get(
    '/admin/sources/:source/scope',
    {
      schema: {
        operationId: 'listScopes',
        ...admin,
        summary: 'As of which day each part of a register was last seen',
        description: 'Rows of a snapshot of an earlier day are left alone there.',
        params: SourcePath,
        response: { 200: ScopeDays },
      },
    },
    async ({ params: { source } }) => ({ data: await listScopes(db, known(source)) }),
  )

  app.post(
    '/admin/sources/:source/scope/lower',
    {
      config: { errors: ['NOT_FOUND', 'UNPROCESSABLE'] },
      schema: {
        operationId: 'lowerScope',
        ...admin,
        summary: 'Lower a day that was too late, so that files since are taken in again',
        description:
          'A worker lowers the parts, the records that carry a later day, and their changes, once no run of the source is at work.',
        params: SourcePath,
        body: Wish,
        response: { 202: Lowering },
      },
    },
    async (request, reply) => {
      const source = known(request.params.source)
      const { to, reason, scopes } = request.body
      const by = operatorOf(request)
      const asked = await db.transaction(async (tx) => {
        const lowered = await askToLower(tx, queue, { source, to, scopes, reason, by })
        const detail = { to, reason, ...(scopes && { scopes }) }
        await audit(tx, { actor: by, action: 'ask to lower scope', subject: source, detail })
        return lowered
      })
      return reply.code(202).send({ source, to, scopes: asked })
    },
  )
}

/** @throws AppError NOT_FOUND */
function known(source: string): string {
  if (sources.some(({ name }) => name === source)) return source
  throw new AppError('NOT_FOUND', 'There is no such source.')
}
