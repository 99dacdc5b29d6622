/** Orders of one account from several processes at once, whatever isolation their login has by default. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allAccounts } from '../../src/db/account-scope.ts'
import { creditBalance } from '../../src/orders/ledger.ts'
import { createAccount, gstinOf, insertContact, insertGst } from '../integration/orders/world.ts'
import { suppressionSettings, useTestDatabase } from '../support/database.ts'
import { figure } from '../support/figures.ts'
import type { ChildResult, ChildTask } from '../support/order-child.ts'

const database = useTestDatabase()
const script = fileURLToPath(new URL('../support/order-child.ts', import.meta.url))
const processes = 4
const ordersEach = figure(20, 50)
const paidFor = (processes * ordersEach) / 2
let children: ChildProcess[] = []

beforeAll(async () => {
  await Promise.all(
    Array.from({ length: processes * ordersEach }, async (_, serial) => {
      await insertGst(database.db, gstinOf(serial))
      await insertContact(database.db, 'gst', gstinOf(serial), { email: `gst${serial}@example.in` })
    }),
  )
  const settings = JSON.stringify({ ...suppressionSettings, ...allAccounts })
  children = Array.from({ length: processes }, () => fork(script, [settings], { stdio: 'inherit' }))
})
afterAll(async () => {
  for (const child of children) {
    const gone = once(child, 'exit')
    child.disconnect()
    await gone
  }
})

async function ask(child: ChildProcess, task: ChildTask): Promise<ChildResult> {
  const answer = new Promise<ChildResult>((resolve, reject) => {
    const ended = () => reject(new Error('the process ended before it answered'))
    child.once('exit', ended)
    child.once('message', (result) => {
      child.off('exit', ended)
      resolve(result as ChildResult)
    })
  })
  child.send(task)
  return answer
}

test.each(['read committed', 'repeatable read', 'serializable'])(
  'of parallel orders from four processes with credits for half of them, exactly half succeed where %s is the default of their login',
  async (level) => {
    const { db } = database
    const accountId = await createAccount(db, paidFor)
    // By the login's setting, and by an address that asks for it, which not even a session's own settings undo.
    const url = new URL(database.urlAs('panji_api'))
    await db.execute(
      `ALTER ROLE ${url.username} IN DATABASE ${url.pathname.slice(1)} SET default_transaction_isolation = '${level}'`,
    )
    url.searchParams.set('options', `-c default_transaction_isolation=${level.replace(' ', '\\ ')}`)
    const results = await Promise.all(
      children.map((child, index) =>
        ask(child, {
          connectionString: url.href,
          accountId,
          numbers: Array.from({ length: ordersEach }, (_, n) => gstinOf(index * ordersEach + n)),
        }),
      ),
    )
    expect(results.map(({ isolation }) => isolation)).toEqual(results.map(() => level))
    const ended = results.flatMap((result) => result.ended).sort()
    expect(ended).toEqual([
      ...Array.from({ length: paidFor }, () => 'INSUFFICIENT_CREDITS'),
      ...Array.from({ length: paidFor }, () => 'placed'),
    ])
    expect(await creditBalance(db, accountId)).toBe(0)
    expect(await db.query('SELECT * FROM ledger.violations()')).toEqual([])
  },
)
