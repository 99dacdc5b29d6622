import { operatorOf } from '../../hooks/operator.ts'
import { operation } from '../../operation.ts'
import { Selection, Settling, settle } from './job-schemas.ts'

export default operation({
  id: 'redriveDeadLetters',
  method: 'POST',
  path: '/admin/jobs/dead/redrive',
  tag: 'Operations',
  summary: 'Run dead letters again',
  description:
    'With all their attempts. A worker puts them back, but for those whose work was done since they failed, which are named.',
  caller: { role: 'operator' },
  audit: 'act',
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
      settle(db, queue, 'redrive', request.body, operatorOf(request)),
})
