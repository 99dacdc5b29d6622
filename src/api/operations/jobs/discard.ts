import type { Tx } from '../../../db/db.ts'
import { type Selection as Chosen, chosen } from '../../../queue/dead-letters.ts'
import { operation } from '../../operation.ts'
import { Selection, Settling, settle } from './job-schemas.ts'

export default operation({
  id: 'discardDeadLetters',
  method: 'POST',
  path: '/admin/jobs/dead/discard',
  summary: 'Discard dead letters',
  description: 'A worker removes them; their work is not done.',
  caller: { role: 'operator' },
  audit: 'act',
  destructive: true,
  errors: ['NOT_FOUND'],
  body: Selection,
  reply: { 202: Settling },
  example: {
    job_ids: [],
  },
  handle: async (services, request, actor) => {
    const all = async (tx: Tx, selected: Chosen) => ({ jobIds: await chosen(tx, selected), left: [] })
    const { jobIds } = await settle(services, 'discard', request.body, actor, all)
    return { job_ids: jobIds }
  },
})
