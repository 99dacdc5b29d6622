/** Jobs for operators over HTTP: what is at work, and the two ways out for those that failed for good. */
import { z } from 'zod'
import { chosen, listDeadLetters, shownPayload } from '../../queue/dead-letters.ts'
import { jobStates, type ListedJob, listJobs } from '../../queue/list-jobs.ts'
import { queues } from '../../queue/queues.ts'
import { audit } from '../../trail/audit.ts'
import { timestamp, uuid } from '../formats.ts'
import { operatorOf } from '../hooks/operator.ts'
import { idText, paging, textFilter } from '../parameters.ts'
import type { Routes } from '../route-context.ts'
import { admin } from './admin.ts'

const count = z.number()
const pageOf = <T extends z.ZodType>(record: T) =>
  z.object({ data: z.array(record), total: count, page: count, limit: count })

const Job = z
  .object({
    job_id: uuid('Of the job'),
    queue: z.string(),
    state: z.enum(jobStates),
    attempts: count,
    code: z.string().nullable().describe('Of the last failure'),
    message: z.string().nullable(),
    created_at: timestamp(),
    due_at: timestamp('before which it does not start'),
    started_at: timestamp().nullable(),
    ended_at: timestamp().nullable(),
  })
  .meta({ id: 'Job' })
const DeadLetter = z
  .object({
    job_id: uuid('Of the dead letter'),
    queue: z.string().nullable().describe('That it failed on'),
    payload: z.record(z.string(), z.unknown()),
    code: z.string().nullable(),
    message: z.string().nullable(),
    attempts: count.nullable(),
    failed_at: timestamp(),
  })
  .meta({ id: 'DeadLetter' })
const Selection = z
  .strictObject({
    job_ids: z.array(idText('Of a dead letter')).min(1).max(1_000).optional().describe('These'),
    all: z.literal(true).optional().describe('Every one that there is now'),
  })
  .refine(({ job_ids, all }) => (job_ids === undefined) !== (all === undefined), { error: 'name job_ids, or say all' })
  .meta({ examples: [{ all: true }] })
const Settling = z.object({ job_ids: z.array(z.string()).describe('Those that a worker settles') })

export const adminJobRoutes: Routes = async (app, { db, queue }) => {
  app.get(
    '/admin/jobs',
    {
      schema: {
        operationId: 'listJobs',
        ...admin,
        summary: 'Jobs, the newest first',
        description: 'Those that ended are kept for some days.',
        querystring: z.object({
          queue: textFilter('Only those of this queue').meta({ examples: ['ingest-snapshot'] }),
          state: z.enum(jobStates).optional().describe('Only those in this state'),
          ...paging(100),
        }),
        response: { 200: pageOf(Job) },
      },
    },
    async ({ query }) => {
      const { jobs, total } = await listJobs(db, query)
      return { data: jobs.map(jobOf), total, page: query.page, limit: query.limit }
    },
  )

  app.get(
    '/admin/jobs/dead',
    {
      schema: {
        operationId: 'listDeadLetters',
        ...admin,
        summary: 'Jobs that failed for good, the oldest first',
        description: 'With the reason of each. Redrive them once it is mended, or discard them.',
        querystring: z.object(paging(100)),
        response: { 200: pageOf(DeadLetter) },
      },
    },
    async ({ query: { page, limit } }) => {
      const letters = await listDeadLetters(db)
      const data = letters.slice((page - 1) * limit, page * limit).map((letter) => ({
        ...letter,
        payload: shownPayload(letter.payload),
        failed_at: letter.failed_at.toISOString(),
      }))
      return { data, total: letters.length, page, limit }
    },
  )

  for (const [act, operationId, summary, description] of [
    ['redrive', 'redriveDeadLetters', 'Run dead letters again', 'With all their attempts. A worker puts them back.'],
    [
      'discard',
      'discardDeadLetters',
      'Drop dead letters for good',
      'A worker removes them; what they were to do is not done.',
    ],
  ] as const) {
    app.post(
      `/admin/jobs/dead/${act}`,
      {
        config: { errors: ['NOT_FOUND'] },
        schema: { operationId, ...admin, summary, description, body: Selection, response: { 202: Settling } },
      },
      async (request, reply) => {
        const jobIds = await db.transaction(async (tx) => {
          const { job_ids } = request.body
          const ids = await chosen(tx, job_ids === undefined ? 'all' : { jobIds: [...new Set(job_ids)] })
          if (ids.length > 0) await queue.send(tx, queues.settleDeadLetters, { act, jobIds: ids })
          const detail = { job_ids: ids }
          await audit(tx, { actor: operatorOf(request), action: `${act} dead letters`, subject: 'dead-letter', detail })
          return ids
        })
        return reply.code(202).send({ job_ids: jobIds })
      },
    )
  }
}

function jobOf({ created_at, due_at, started_at, ended_at, ...job }: ListedJob): z.output<typeof Job> {
  return {
    ...job,
    created_at: created_at.toISOString(),
    due_at: due_at.toISOString(),
    started_at: started_at?.toISOString() ?? null,
    ended_at: ended_at?.toISOString() ?? null,
  }
}
