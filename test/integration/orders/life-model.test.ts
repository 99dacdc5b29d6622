/**
 * The whole life of an account against one plain model, in any order: credits given and taken, orders with credits and online,
 * cancellations, refunds, reports, late contacts, plans, payments and refunds told of in any order and number, deaths of the process
 * at any statement, days that pass. After each step the database and the model agree, and the ledger verifies.
 */
import fc from 'fast-check'
import { beforeAll, test } from 'vitest'
import { useTestDatabase } from '../../support/database.ts'
import * as credits from './life/credit-steps.ts'
import { emptyModel } from './life/model.ts'
import * as orders from './life/order-steps.ts'
import * as payments from './life/payment-steps.ts'
import * as plans from './life/plan-steps.ts'
import { processorOf } from './life/real.ts'
import { createAccount, gstinOf, insertContact, insertGst } from './world.ts'

const database = useTestDatabase()
const lives = 14
const serials = Array.from({ length: orders.serialsPerLife }, (_, serial) => serial)

beforeAll(async () => {
  // Half of the records of each life can be reached from the start.
  const all = Array.from({ length: (lives + 1) * orders.serialsPerLife }, (_, serial) => serial)
  await Promise.all(
    all.map(async (serial) => {
      await insertGst(database.db, gstinOf(serial))
      if (serial % 2 === 0)
        await insertContact(database.db, 'gst', gstinOf(serial), { email: `gst${serial}@example.in` })
    }),
  )
})

const steps = [
  ...[credits.grant, credits.grant, credits.revoke, credits.pass, credits.pass, credits.jobs],
  ...[orders.order, orders.order, orders.order, orders.order, orders.cancel, orders.giveBack, orders.dispute],
  ...[orders.dispute, orders.decide, orders.decide, orders.contact, orders.contact, orders.reclaim],
  ...[payments.pay, payments.pay, payments.pay, payments.reportPayment, payments.reportPayment, payments.reconcile],
  ...[payments.payBack, payments.reportRefund, payments.reportRefund],
  ...[plans.buy, plans.buy, plans.begin, plans.cancelPlan, plans.takeTermBack],
]

test('over any life of its orders and plans an account has what a plain model says, whatever dies on the way', {
  timeout: 600_000,
}, async () => {
  let life = 0
  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands: 60, size: '+1' }), async (commands) => {
      const first = (life++ % (lives + 1)) * orders.serialsPerLife
      // A shrunk life meets the records of the one before it: only their contacts are taken back.
      await database.db.execute('DELETE FROM registry.contact WHERE email = ANY ($1)', [
        serials.map((serial) => `late${first + serial}@example.in`),
      ])
      const accountId = await createAccount(database.db)
      const model = emptyModel(new Set(serials.filter((serial) => (first + serial) % 2 === 0)))
      const processor = processorOf(model)
      await fc.asyncModelRun(() => ({ model, real: { database, accountId, processor, first } }), commands)
    }),
    // The seed of a failure is printed before the test's own end.
    { numRuns: lives, interruptAfterTimeLimit: 500_000, markInterruptAsFailure: true },
  )
})
