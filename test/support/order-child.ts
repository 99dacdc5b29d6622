/**
 * Places orders of one item each in a process of its own, eight at a time, when its parent names the accounts and
 * records, and answers with each outcome and the default isolation of its connections.
 */
import { openDb } from '../../src/db/db.ts'
import { AppError } from '../../src/errors.ts'
import { placeOrder } from '../../src/orders/place-order.ts'
import type { JobSender } from '../../src/queue/queue.ts'

export interface ChildTask {
  readonly connectionString: string
  readonly accountId: string
  readonly numbers: readonly string[]
}
export interface ChildResult {
  /** `placed`, or the code of the refusal. */
  readonly ended: readonly string[]
  readonly isolation: string
}

const [settings = '{}'] = process.argv.slice(2)
const atOnce = 8
const queue: JobSender = { send: async () => 'not run' }

async function run({ connectionString, accountId, numbers }: ChildTask): Promise<ChildResult> {
  // New connections each time, with the role's current defaults.
  const db = openDb({
    connectionString,
    applicationName: 'panji-test-orders',
    connectionsMax: atOnce,
    settings: JSON.parse(settings) as Record<string, string>,
  })
  const place = (number: string): Promise<string> =>
    placeOrder(
      db,
      queue,
      { onlineLabel: 'online' },
      { accountId, orderName: 'parallel', paymentOption: 'credits', items: [{ type: 'gst', name: 'X', number }] },
    ).then(
      () => 'placed',
      (error: unknown) => (error instanceof AppError ? error.code : String(error)),
    )
  try {
    const [row] = await db.query<{ isolation: string }>(
      `SELECT current_setting('default_transaction_isolation') AS isolation`,
    )
    const left = numbers.values()
    const ended: string[] = []
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (const number of left) ended.push(await place(number))
      }),
    )
    return { ended, isolation: row?.isolation ?? '' }
  } finally {
    await db.close()
  }
}

process.on('message', (task: ChildTask) => {
  run(task).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
