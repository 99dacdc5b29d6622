/**
 * Problems that the cards of the health page show before a condition exists: a worker evaluates conditions once a
 * minute, some only after they have lasted a while, and without a worker nothing does.
 */
import { counted } from '../look/numbers.ts'
import type { Overview } from './overview.ts'

export function pendingConditions({
  conditions,
  worker,
  sources,
  dead_letters,
  broken_destinations,
  keys,
}: Overview): string[] {
  const waiting = sources.flatMap(({ waiting_runs }) => waiting_runs).length
  const failed = sources.filter(({ last_status }) => last_status === 'failed').length
  const found = [
    {
      type: 'worker',
      holds: !worker.running,
      says: 'No worker is online, so nothing is found and nobody is notified.',
    },
    {
      type: 'import.needs_approval',
      holds: waiting > 0,
      says: `${counted(waiting, 'import needs', 'imports need')} approval.`,
    },
    {
      type: 'import.failed',
      holds: failed > 0,
      says: `${counted(failed, 'source')} failed on ${failed === 1 ? 'its' : 'their'} last import.`,
    },
    { type: 'jobs.dead', holds: dead_letters > 0, says: `${counted(dead_letters, 'job')} failed for good.` },
    {
      type: 'destination.broken',
      holds: broken_destinations.length > 0,
      says: `${counted(broken_destinations.length, 'CRM is', 'CRMs are')} broken.`,
    },
    { type: 'secret-key', holds: !keys.secret_key_ok, says: 'The secret key does not match.' },
  ]
  return found.flatMap(({ type, holds, says }) =>
    holds && !conditions.some((each) => each.type === type) ? [says] : [],
  )
}
