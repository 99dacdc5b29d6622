import { z } from 'zod'
import { deleteScreener } from '../../../registry/screener/saved-screeners.ts'
import { uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { ById } from './screener-schemas.ts'

export default operation({
  id: 'deleteScreener',
  method: 'DELETE',
  path: '/api/screener/screeners/:screener_id',
  summary: 'Delete a saved screener',
  description: 'Takes effect at once and cannot be undone.',
  caller: { scopes: ['write'] },
  audit: 'act',
  params: ById,
  reply: { 200: z.object({ id: uuid('ID of the screener'), deleted: z.literal(true) }) },
  example: {
    id: 'e3a4c030-aeae-40b3-b71b-f7862aa84bf3',
    deleted: true,
  },
  handle: async ({ db }, request, { accountId }) => {
    await deleteScreener(db, accountId, request.params.screener_id)
    return { id: request.params.screener_id, deleted: true as const }
  },
})
