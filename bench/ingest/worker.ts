/** One ingest run in a process of its own, so that its peak memory is the worker's alone. Prints one JSON line. */

import { pino } from 'pino'
import { openDb } from '../../src/db/db.ts'
import { Secret } from '../../src/domain/secret.ts'
import { runSnapshot } from '../../src/ingest/conduct/run-snapshot.ts'
import { requestRun } from '../../src/ingest/run/request-run.ts'
import { timeStatements } from './statement-times.ts'

const [connectionString = '', source = '', input = '', dataDir = '', mode, guarded] = process.argv.slice(2)
const db = openDb({ connectionString, applicationName: 'panji-bench-worker' })
const queue = { send: async () => 'not needed here' }
const { runId } = await db.transaction((tx) =>
  requestRun(tx, queue, {
    source,
    input,
    ...(mode === 'delta' ? { mode } : {}),
  }),
)
// The guard knows how many companies the country has; a bench may have more, so it approves them beforehand.
if (guarded !== 'guarded') await db.execute('UPDATE ingest.run SET approved_at = now() WHERE run_id = $1', [runId])
const times = timeStatements(db)
const run = await runSnapshot(
  {
    db: times.db,
    queue,
    log: pino({ level: 'silent' }),
    signal: new AbortController().signal,
    allowPrivateSources: false,
    secretKey: new Secret('the secret key of benches'),
    dataDir,
  },
  runId,
)
await db.close()
console.log(
  JSON.stringify({
    ...{ ...run, header: undefined, covered: undefined },
    ...{ peakRssKib: process.resourceUsage().maxRSS, statements: times.seconds() },
  }),
)
