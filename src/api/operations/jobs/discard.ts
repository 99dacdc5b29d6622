import { operatorOf } from '../../hooks/operator.ts'
import { operation } from '../../operation.ts'
import { Selection, Settling, settle } from './job-schemas.ts'

export default operation({
  id: 'discardDeadLetters',
  method: 'POST',
  path: '/admin/jobs/dead/discard',
  tag: 'Operations',
  summary: 'Drop dead letters for good',
  description: 'A worker removes them; what they were to do is not done.',
  caller: { role: 'operator' },
  audit: 'act',
  destructive: true,
  errors: ['NOT_FOUND'],
  body: Selection,
  reply: { 202: Settling },
  example: {
    job_ids: [],
    left: [],
  },
  handle:
    ({ db, queue }) =>
    async (request) =>
      settle(db, queue, 'discard', request.body, operatorOf(request)),
})
