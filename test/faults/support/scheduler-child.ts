/** A scheduler in a process of its own: fires one schedule every second until it is killed. */
import { openDb } from '../../../src/db/db.ts'
import { startQueue } from '../../../src/queue/queue.ts'
import { startScheduler } from '../../../src/queue/schedule/scheduler.ts'
import { createLogger } from '../../../src/telemetry/log.ts'

const connectionString = process.argv[2] ?? ''
const db = openDb({ connectionString, applicationName: 'panji-scheduler-child', connectionsMax: 3 })
const queue = await startQueue({ connectionString, supervise: false, onError: () => {} })
await startScheduler({
  db,
  queue,
  log: createLogger('silent', process.stderr),
  schedules: [{ name: 'tick', cron: '* * * * * *', timezone: 'Asia/Kolkata', job: 'sweep-expired', payload: {} }],
})
console.log('ready')
setInterval(() => {}, 1_000)
