/** A worker of its own that takes one run in and prints how it ended and how much memory it held at most. */

import { existsSync, readFileSync } from 'node:fs'
import { pino } from 'pino'
import type { FetchBounds } from '../../config/input-bounds.ts'
import { openDb } from '../../src/db/db.ts'
import { Secret } from '../../src/domain/secret.ts'
import { runSnapshot } from '../../src/ingest/conduct/run-snapshot.ts'

const [connectionString = '', runId = '', dataDir = '', bounds = '{}'] = process.argv.slice(2)
const db = openDb({ connectionString, applicationName: 'panji-input-child' })
const deps = {
  db,
  queue: { send: async () => 'not needed here' },
  log: pino({ level: 'silent' }),
  signal: new AbortController().signal,
  allowPrivateSources: true,
  secretKey: new Secret('the secret key of tests'),
  dataDir,
  bounds: JSON.parse(bounds) as Partial<FetchBounds>,
}
const ended = await runSnapshot(deps, Number(runId)).then(
  (run) => run.status,
  (error: unknown) => String(error),
)
await db.close()
console.log(JSON.stringify({ ended, peakBytes: peakBytes() }))

/** Linux counts what the parent held when it forked into the child's maxRSS, but not into VmHWM. */
function peakBytes(): number {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : ''
  const peak = /^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]
  return (peak === undefined ? process.resourceUsage().maxRSS : Number(peak)) * 1024
}
