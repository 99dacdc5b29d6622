/**
 * `panji start`: API, worker, scheduler and, with the embedded database, the sandbox CRMs in one process. An empty
 * embedded database is filled with the sample world through the real path. Stops cleanly at Ctrl-C.
 */
import { once } from 'node:events'
import { Option } from 'commander'
import { stopIn } from '../../domain/stopped.ts'
import type { OpenInstance } from '../instance/open-instance.ts'
import { keptLog, logFileIn } from '../kept-log.ts'
import type { CommandContext } from '../settings.ts'
import { boundHeap } from '../start/bounded-heap.ts'
import type { Role } from '../start/role.ts'
import type { Runtime } from '../start/runtime.ts'
import type { Declare } from './command.ts'

const roles: readonly Role[] = ['all', 'api', 'worker', 'scheduler']

export const declareStart: Declare = (program, run) => {
  program
    .command('start')
    .description('run Panji: API, worker, scheduler and the sandbox CRMs')
    .addOption(new Option('--role <role>', 'role of this process').choices([...roles]).default('all'))
    .option('--verbose', 'also write the log to standard error where it is kept in a file')
    .action((options: StartOptions) => {
      // First, so that a process that starts anew has loaded little twice.
      boundHeap()
      return run((context) => startUntilStopped(context, options))
    })
}

interface StartOptions {
  readonly role: Role
  readonly verbose?: true
}

/** Can be stopped even while it opens the database or loads the sample world; the next start continues there. */
async function startUntilStopped(context: CommandContext, options: StartOptions): Promise<void> {
  try {
    await start(context, options)
  } catch (error) {
    if (!stopIn(error)) throw error
  }
  context.out.note('Stopped.')
}

async function start(context: CommandContext, { role, verbose }: StartOptions): Promise<void> {
  const started = performance.now()
  // The API, the jobs and the sample are loaded only here, because no other command needs them.
  const { sealingKey } = await import('../../secrets/canary.ts')
  const { openInstance } = await import('../instance/open-instance.ts')
  const { banner } = await import('../start/banner.ts')
  const { startRuntime } = await import('../start/runtime.ts')
  const { ensureSampleWorld, wantsSampleWorld } = await import('../start/sample-world.ts')
  context.out.note('Opening the database …')
  const instance = await openInstance(context, 'start', { exclusive: true, creates: true })
  // Scrolling log lines would push the link off the screen.
  if (instance.lock) context.keepLog(keptLog(logFileIn(context.settings.dataDir)), { quietly: verbose !== true })
  try {
    if (instance.applied.length > 0) context.out.note(`Applied ${instance.applied.length} migrations.`)
    // Checked before anything runs: with another key every login and every delivery would fail one by one.
    await instance.db.transaction((tx) => sealingKey(tx, instance.secretKey))
    const withSandboxes = await wantsSampleWorld(context, instance)
    const runtime = await startRuntime(context, instance, { role, withSandboxes })
    try {
      if (runtime.apiUrl) instance.lock?.publish({ apiUrl: runtime.apiUrl })
      const sample = await ensureSampleWorld(context, instance, runtime)
      const consoleUrl = await consoleLink(instance, runtime)
      const seconds = (performance.now() - started) / 1000
      context.out.answer(
        {
          ready: true,
          seconds,
          api_url: runtime.apiUrl ?? null,
          probe_url: runtime.probeUrl ?? null,
          ...(consoleUrl ? { console_url: consoleUrl } : {}),
          ...sandboxFacts(runtime),
          ...sample,
        },
        () => banner({ context, instance, runtime, sample, seconds, consoleUrl }),
      )
      if (!context.signal.aborted) await once(context.signal, 'abort')
      context.out.note('Stopping …')
    } finally {
      await runtime.stop()
    }
  } finally {
    await instance.close()
  }
}

/**
 * A link that signs the person who starts the embedded database in at the console, once. Elsewhere it would end up in
 * logs that others read, and operators have their tokens. The code is in the fragment, which browsers do not send.
 */
async function consoleLink(instance: OpenInstance, { apiUrl }: Runtime): Promise<string | undefined> {
  if (!instance.lock || !apiUrl) return undefined
  const { issueConsoleCode } = await import('../../access/console-codes.ts')
  return `${apiUrl}/console#code=${await instance.db.transaction(issueConsoleCode)}`
}

function sandboxFacts({ sandboxes }: Runtime): object {
  return sandboxes ? { control_url: sandboxes.controlUrl, control_token: sandboxes.controlToken } : {}
}
