/** The queue on the instance's database; lost connections are logged and replaced automatically. */
import { type QueueHandle, startQueue } from '../../queue/queue.ts'
import type { CommandContext } from '../settings.ts'
import type { OpenInstance } from './open-instance.ts'

/** @param supervise true in processes that run jobs. */
export function openQueue({ log }: CommandContext, instance: OpenInstance, supervise: boolean): Promise<QueueHandle> {
  return startQueue({
    // A login that may only become the API's role sends to queues that others declared.
    ...(mayWork(instance) ? instance.connections.panji_worker : instance.connections.panji_api),
    declares: mayWork(instance),
    supervise,
    onError: (error) => log.warn({ err: error }, 'the queue lost a connection'),
    onWarning: (message) => log.warn({ warning: message }, 'the queue warns'),
  })
}

/** Without roles the login does everything. */
const mayWork = ({ connections }: OpenInstance) =>
  connections.panji_worker.role !== undefined || connections.panji_api.role === undefined
