/**
 * A process that runs one run when it is told to. It may be told to kill or stop itself at a boundary of the run: no
 * handler, no finally, no goodbye. It says `ready` once it could begin, so that a test can have the next one waiting.
 */

import { pino } from 'pino'
import { openDb } from '../../../src/db/db.ts'
import { Secret } from '../../../src/domain/secret.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'

export interface ChildOrder {
  readonly runId: number
  /** Boundary at which the process sends itself `signal`. */
  readonly strikeAt?: string
  readonly signal?: 'SIGKILL' | 'SIGSTOP'
}

export type ChildReport = { readonly kind: 'ready' } | { readonly kind: 'ended'; readonly outcome: string }

const [connectionString = '', dataDir = ''] = process.argv.slice(2)
const db = openDb({ connectionString, applicationName: 'panji-fault-child', connectionsMax: 4 })
const report = (message: ChildReport) => process.send?.(message)

async function obey({ runId, strikeAt, signal = 'SIGKILL' }: ChildOrder): Promise<string> {
  const run = await runSnapshot(
    {
      db,
      queue: { send: async () => 'not needed here' },
      log: pino({ level: 'silent' }),
      signal: new AbortController().signal,
      allowPrivateSources: false,
      secretKey: new Secret('the secret key of tests'),
      dataDir,
      finalAttempt: false,
      reached: async (point) => {
        if (point !== strikeAt) return
        process.kill(process.pid, signal)
        // SIGKILL takes effect before this promise would resolve; after SIGSTOP it goes on when it is woken.
        if (signal === 'SIGKILL') await new Promise(() => {})
      },
    },
    runId,
  )
  return run.status
}

process.on('message', (order: ChildOrder) => {
  obey(order)
    .catch((error: unknown) => (error as { code?: string }).code ?? String(error))
    .then(async (outcome) => {
      report({ kind: 'ended', outcome })
      await db.close()
      process.disconnect()
    })
    .catch((error: unknown) => {
      throw error
    })
})
await db.query('SELECT 1')
report({ kind: 'ready' })
