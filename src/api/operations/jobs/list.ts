import { z } from 'zod'
import { jobSorts, jobStates, type ListedJob, listJobs } from '../../../queue/list-jobs.ts'
import { timestamp, uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { growing, pageOf, paging, sorting, textFilter } from '../../parameters.ts'
import { count } from './job-schemas.ts'

const Job = z
  .object({
    job_id: uuid('ID of the job'),
    queue: z.string(),
    state: z.enum(jobStates),
    attempts: count,
    code: z.string().nullable().describe('Code of the last failure'),
    message: z.string().nullable(),
    created_at: timestamp(),
    due_at: timestamp('before which it does not start'),
    started_at: timestamp().nullable(),
    ended_at: timestamp().nullable(),
  })
  .meta({ id: 'Job' })

export default operation({
  id: 'listJobs',
  method: 'GET',
  path: '/admin/jobs',
  summary: 'List jobs, newest first',
  description: 'Finished jobs are kept for some days.',
  caller: { role: 'viewer' },
  audit: 'nothing',
  query: z.object({
    queue: textFilter('Only those of this queue').meta({ examples: ['ingest-snapshot'] }),
    state: z.enum(jobStates).optional().describe('Only those in this state'),
    ...sorting(jobSorts),
    ...paging(100),
    ...growing,
  }),
  reply: { 200: pageOf(Job) },
  example: {
    data: [
      {
        job_id: '3f0e7c86-8d1c-4a5e-9d0b-5a1f0c2b7e11',
        queue: 'ingest-snapshot',
        state: 'completed',
        attempts: 1,
        code: null,
        message: null,
        created_at: '2026-11-23T17:06:39.337Z',
        due_at: '2026-11-23T17:06:39.337Z',
        started_at: '2026-11-23T17:06:39.502Z',
        ended_at: '2026-11-23T17:06:44.918Z',
      },
    ],
    total: 1,
    page: 1,
    limit: 10,
  },
  handle: async ({ db }, { query }) => {
    const { jobs, total } = await listJobs(db, query)
    return { data: jobs.map(jobOf), total, page: query.page, limit: query.limit }
  },
})

function jobOf({ created_at, due_at, started_at, ended_at, ...job }: ListedJob): z.output<typeof Job> {
  return {
    ...job,
    created_at: created_at.toISOString(),
    due_at: due_at.toISOString(),
    started_at: started_at?.toISOString() ?? null,
    ended_at: ended_at?.toISOString() ?? null,
  }
}
