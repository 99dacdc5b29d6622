/** What a command enqueues waits for a worker; where none is online, the person at the terminal reads so. */
import type { Db } from '../../db/db.ts'
import type { JobSender } from '../../queue/queue.ts'
import { workerIsPresent } from '../../queue/worker-presence.ts'
import type { CommandContext } from '../settings.ts'

export async function noteMissingWorker({ out }: Pick<CommandContext, 'out'>, db: Db): Promise<void> {
  if (await workerIsPresent(db)) return
  out.note('No worker is online, so what this command enqueued waits; `npx panji start` has one.')
}

/** @param onSend is called before each job. */
export const observed = (queue: JobSender, onSend: () => void): JobSender => ({
  send(...job) {
    onSend()
    return queue.send(...job)
  },
})
