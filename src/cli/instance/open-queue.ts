/** The queue on the instance's database; connections that it loses are logged, it replaces them by itself. */
import { type QueueHandle, startQueue } from '../../queue/queue.ts'
import type { CommandContext } from '../settings.ts'
import type { OpenInstance } from './open-instance.ts'

/** @param supervise true in processes that run jobs. */
export function openQueue({ log }: CommandContext, instance: OpenInstance, supervise: boolean): Promise<QueueHandle> {
  return startQueue({
    connectionString: instance.databaseUrl,
    supervise,
    onError: (error) => log.warn({ err: error }, 'the queue lost a connection'),
    onWarning: (message) => log.warn({ warning: message }, 'the queue warns'),
  })
}
