import { findWanted } from '../../../health/redrive-wanted.ts'
import { operation } from '../../operation.ts'
import { Redriving, Selection, settle } from './job-schemas.ts'

export default operation({
  id: 'redriveDeadLetters',
  method: 'POST',
  path: '/admin/jobs/dead/redrive',
  summary: 'Redrive dead letters',
  description:
    'A worker puts them back with all their attempts. With `all`, those whose work was done since they failed are reported and left.',
  caller: { role: 'operator' },
  audit: 'act',
  errors: ['NOT_FOUND'],
  body: Selection,
  reply: { 202: Redriving },
  example: {
    job_ids: [],
    left: [],
  },
  handle: async (services, request, actor) => {
    const { jobIds, left } = await settle(services, 'redrive', request.body, actor, findWanted)
    return { job_ids: jobIds, left }
  },
})
