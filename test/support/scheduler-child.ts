/** A scheduler process that fires every second until it is stopped. */
import { pino } from 'pino'
import { openDb } from '../../src/db/db.ts'
import { startQueue } from '../../src/queue/queue.ts'
import { startScheduler } from '../../src/queue/schedule/scheduler.ts'

const [connectionString = ''] = process.argv.slice(2)
const db = openDb({ connectionString, applicationName: 'panji-fault-scheduler' })
const queue = await startQueue({ connectionString, supervise: false, onError: () => {} })
const schedule = { name: 'sweep', cron: '* * * * * *', timezone: 'Asia/Kolkata', job: 'sweep-expired', payload: {} }
await startScheduler({ db, queue, log: pino({ level: 'silent' }), schedules: [schedule], reloadMs: 500 })
console.log(`ready ${new Date().toISOString()}`)
// The scheduler's timers do not hold the process.
setInterval(() => {}, 1_000)
