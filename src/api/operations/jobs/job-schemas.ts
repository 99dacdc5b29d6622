import { z } from 'zod'
import { type Actor, audit } from '../../../audit/audit.ts'
import type { Db, Tx } from '../../../db/db.ts'
import type { Wanted } from '../../../health/redrive-wanted.ts'
import type { Selection as Chosen } from '../../../queue/dead-letters.ts'
import type { JobSender } from '../../../queue/queue.ts'
import { queues } from '../../../queue/queues.ts'
import { idText } from '../../parameters.ts'

export const count = z.number()

export const Selection = z
  .strictObject({
    job_ids: z.array(idText('ID of a dead letter')).min(1).max(1_000).optional().describe('These'),
    all: z.literal(true).optional().describe('All current dead letters'),
  })
  .refine(({ job_ids, all }) => (job_ids === undefined) !== (all === undefined), { error: 'name job_ids, or say all' })
  .meta({ examples: [{ all: true }] })

export const Settling = z.object({ job_ids: z.array(z.string()).describe('Dead letters that a worker handles') })

export const Redriving = Settling.extend({
  left: z
    .array(
      z.object({ job_id: z.string(), queue: z.string().nullable(), reason: z.string() }).meta({ id: 'LeftDeadLetter' }),
    )
    .describe(
      'With `all`: dead letters that are not run again because their work was done after they failed. They stay until they are named or discarded',
    ),
})

/** Leaves the dead letters to a worker and writes the audit log row. @param decide which of them are settled. */
export async function settle(
  { db, queue }: { readonly db: Db; readonly queue: JobSender },
  act: 'redrive' | 'discard',
  { job_ids }: z.output<typeof Selection>,
  actor: Actor,
  decide: (tx: Tx, selected: Chosen) => Promise<Wanted>,
): Promise<Wanted> {
  return db.transaction(async (tx) => {
    const decided = await decide(tx, job_ids === undefined ? 'all' : { jobIds: [...new Set(job_ids)] })
    const { jobIds, left } = decided
    if (jobIds.length > 0) await queue.send(tx, queues.settleDeadLetters, { act, jobIds })
    const detail = { job_ids: jobIds, ...(left.length > 0 && { left: left.map(({ job_id }) => job_id) }) }
    await audit(tx, { actor, action: `${act} dead letters`, subject: 'dead-letter', detail })
    return decided
  })
}
