/** Gives a command the operations of the API on its instance's database, called within its own process. */
import { fetchBounds } from '../../../config/input-bounds.ts'
import { type TerminalCalls, terminalCalls } from '../../api/terminal-calls.ts'
import type { JobSender, QueueHandle } from '../../queue/queue.ts'
import { noteCalled } from '../audit/command-audit.ts'
import type { CommandContext } from '../settings.ts'
import { noteMissingWorker } from './missing-worker.ts'
import type { OpenInstance } from './open-instance.ts'
import { openQueue } from './open-queue.ts'
import { withInstance } from './with-instance.ts'

/** @param work calls operations; the queue is opened once one of them enqueues a job. */
export async function withOperations<T>(
  context: CommandContext,
  command: string,
  work: (operations: TerminalCalls, instance: OpenInstance) => Promise<T>,
): Promise<T> {
  return withInstance(context, command, async (instance) => {
    let opening: Promise<QueueHandle> | undefined
    const queue: JobSender = {
      send: async (...job) => {
        opening ??= openQueue(context, instance, false)
        return (await opening).send(...job)
      },
    }
    try {
      const result = await work(operationsOn(context, instance, queue), instance)
      if (opening !== undefined) await noteMissingWorker(context, instance.db)
      return result
    } finally {
      await (await opening)?.stop()
    }
  })
}

/** For a command that has its own queue. */
export function operationsOn(context: CommandContext, instance: OpenInstance, queue: JobSender): TerminalCalls {
  const { settings, log, connectors } = context
  const { db, secretKey } = instance
  const { dataDir, leadSource, onlineLabel, connect, operators, allowPrivateSources } = settings
  const calls = terminalCalls({
    ...{ db, queue, log, connectors, connect, secretKey, operators },
    settings: { leadSource, onlineLabel, allowPrivateSources },
    intake: { dataDir, fileBytesMax: settings.fetchBounds.fileBytesMax ?? fetchBounds.fileBytesMax },
    trustedProxies: [],
  })
  return {
    call(operation, request) {
      noteCalled(operation)
      return calls.call(operation, request)
    },
  }
}
