/**
 * The worker of the delivery bench in a process of its own: it delivers until it is stopped, and reports its usage on
 * request.
 */
import { pino } from 'pino'
import { connectors } from '../../connectors/index.ts'
import { buildJobs } from '../../jobs/index.ts'
import { openDb } from '../../src/db/db.ts'
import { Secret } from '../../src/domain/secret.ts'
import { startQueue } from '../../src/queue/queue.ts'
import { startWorker } from '../../src/queue/worker.ts'
import { cpuSeconds } from '../own-process.ts'

export interface WorkerUsage {
  readonly cpuSeconds: number
  /** Peak resident memory. */
  readonly peakKib: number
}

const [connectionString = ''] = process.argv.slice(2)
const db = openDb({ connectionString, applicationName: 'panji-bench-worker' })
const queue = await startQueue({ connectionString, role: undefined, supervise: true, onError: () => {} })
const stopping = new AbortController()
const worker = await startWorker({
  db,
  queue,
  jobs: buildJobs({
    queue,
    dataDir: '/nowhere',
    allowPrivateSources: true,
    bounds: {},
    leadSource: 'Panji',
    connectors,
    secretKey: new Secret('the secret key of the delivery bench'),
  }),
  log: pino({ level: 'error' }, process.stderr),
  signal: stopping.signal,
})
process.on('message', () => {
  const usage: WorkerUsage = { cpuSeconds: cpuSeconds(), peakKib: process.resourceUsage().maxRSS }
  process.send?.(usage)
})
process.once('SIGTERM', () => {
  stopping.abort(new Error('the process is stopping'))
  void worker
    .stop()
    .then(() => queue.stop())
    .then(() => db.close())
    .then(() => process.exit(0))
})
process.send?.('ready')
