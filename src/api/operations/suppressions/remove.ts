import { z } from 'zod'
import { removeSuppressions } from '../../../access/suppressions.ts'
import { operation } from '../../operation.ts'
import { objectionsOf, Values, valuesMax } from './suppression-schemas.ts'

export default operation({
  id: 'removeSuppressions',
  method: 'DELETE',
  path: '/admin/suppressions',
  summary: 'Remove entries from the suppression list',
  description: 'By value or by ID. What a CRM was asked to erase stays erased. Removing twice is not an error.',
  caller: { role: 'operator' },
  audit: 'act',
  body: z
    .strictObject({ ...Values, id: z.array(z.uuid()).max(valuesMax).optional().describe('IDs of entries') })
    .meta({ examples: [{ email: ['asha@example.in'] }] }),
  reply: { 200: z.object({ removed: z.number() }) },
  example: {
    removed: 1,
  },
  handle: async ({ db }, request, actor) => {
    const { id = [], ...values } = request.body
    return db.transaction(async (tx) => {
      const byValue = await removeSuppressions(tx, { objections: objectionsOf(values) }, actor)
      const byId = await removeSuppressions(tx, { ids: id }, actor)
      return { removed: byValue.removed + byId.removed }
    })
  },
})
