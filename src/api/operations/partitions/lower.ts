import { z } from 'zod'
import { audit } from '../../../audit/audit.ts'
import { requestLowering } from '../../../ingest/conduct/lower-scopes.ts'
import { day } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { calendarDay, plainText, reasonText } from '../../parameters.ts'
import { known, SourcePath, scopeName } from './partition-schemas.ts'

const Wish = z
  .strictObject({
    to: calendarDay.describe('Day of the newest snapshot that really included it'),
    reason: reasonText('Recorded in the audit log'),
    scopes: z
      .array(plainText(200).min(1))
      .min(1)
      .max(500)
      .optional()
      .describe('Only these partitions; all of the source by default'),
  })
  .meta({ examples: [{ to: '2025-10-01', reason: "the file's name was mistyped" }] })
const Lowering = z
  .object({
    source: z.string(),
    to: day('New as-of day'),
    scopes: z
      .array(
        z
          .object({ scope: scopeName, before: day('Current as-of day'), after: day('New as-of day') })
          .meta({ id: 'LoweredScope' }),
      )
      .readonly(),
  })
  .meta({ id: 'LoweredScopes' })

export default operation({
  id: 'lowerScope',
  method: 'POST',
  path: '/admin/sources/:source/scope/lower',
  summary: 'Lower an as-of day that was set too late',
  description:
    'Files dated since can then be ingested again. A worker lowers the partitions, the records that carry a later day, and their changes, once no run of the source is in progress.',
  caller: { role: 'operator' },
  audit: 'act',
  destructive: true,
  errors: ['NOT_FOUND', 'UNPROCESSABLE'],
  params: SourcePath,
  body: Wish,
  reply: { 202: Lowering },
  example: {
    source: 'mca-companies',
    to: '2025-10-01',
    scopes: [],
  },
  handle: async ({ db, queue }, request, by) => {
    const source = known(request.params.source)
    const { to, reason, scopes } = request.body
    const requested = await db.transaction(async (tx) => {
      const lowered = await requestLowering(tx, queue, { source, to, scopes, reason, by })
      const detail = { to, reason, ...(scopes && { scopes }) }
      await audit(tx, { actor: by, action: 'ask to lower scope', subject: source, detail })
      return lowered
    })
    return { source, to, scopes: requested }
  },
})
