import { z } from 'zod'
import { listDeadLetters, shownPayload } from '../../../queue/dead-letters.ts'
import { timestamp, uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { pageOf, paging } from '../../parameters.ts'
import { count } from './job-schemas.ts'

const DeadLetter = z
  .object({
    job_id: uuid('ID of the dead letter'),
    queue: z.string().nullable().describe('Queue in which it failed'),
    payload: z.record(z.string(), z.unknown()),
    code: z.string().nullable(),
    message: z.string().nullable(),
    attempts: count.nullable(),
    failed_at: timestamp(),
  })
  .meta({ id: 'DeadLetter' })

export default operation({
  id: 'listDeadLetters',
  method: 'GET',
  path: '/admin/jobs/dead',
  summary: 'List dead letters',
  description:
    'Jobs that failed for good, oldest first, each with its error. Redrive them once the cause is fixed, or discard them.',
  caller: { role: 'viewer' },
  audit: 'nothing',
  query: z.object(paging(100)),
  reply: { 200: pageOf(DeadLetter) },
  example: {
    data: [
      {
        job_id: '8a1d2f4c-0b7e-4c39-a6d5-2e9f1b3c7d60',
        queue: 'fetch-source',
        payload: { source: 'mca-companies', input: 'https://example.in/companies.csv' },
        code: 'SOURCE_UNREADABLE',
        message: 'https://example.in/companies.csv answered 404.',
        attempts: 5,
        failed_at: '2026-11-23T17:06:44.918Z',
      },
    ],
    total: 1,
    page: 1,
    limit: 10,
  },
  handle: async ({ db }, { query: { page, limit } }) => {
    const letters = await listDeadLetters(db)
    const data = letters.slice((page - 1) * limit, page * limit).map((letter) => ({
      ...letter,
      payload: shownPayload(letter.payload),
      failed_at: letter.failed_at.toISOString(),
    }))
    return { data, total: letters.length, page, limit }
  },
})
