/** A worker that kills itself with SIGKILL when its run reaches a given point: no handler, no finally, no goodbye. */
import { pino } from 'pino'
import { openDb } from '../../src/db/db.ts'
import { runSnapshot } from '../../src/ingest/run-snapshot.ts'

const [connectionString = '', runId = '', dataDir = '', killAt = ''] = process.argv.slice(2)
const db = openDb({ connectionString, applicationName: 'panji-fault-child' })
await runSnapshot(
  {
    db,
    queue: { send: async () => 'not needed here' },
    log: pino({ level: 'silent' }),
    signal: new AbortController().signal,
    allowPrivateSources: false,
    dataDir,
    reached: async (point) => {
      if (point !== killAt) return
      process.kill(process.pid, 'SIGKILL')
      // The signal takes effect before this promise would resolve.
      await new Promise(() => {})
    },
  },
  Number(runId),
)
await db.close()
