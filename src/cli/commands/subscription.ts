/** `panji subscription`: plans and offers of an account; gives, cancels and refunds terms. */
import { randomUUID } from 'node:crypto'
import { findAccountId } from '../../access/accounts.ts'
import type { Db, Tx } from '../../db/db.ts'
import { isUuid } from '../../domain/uuid.ts'
import { AppError } from '../../errors.ts'
import { giveTerm } from '../../orders/subscriptions/buy-term.ts'
import { cancelSubscription } from '../../orders/subscriptions/cancel-subscription.ts'
import {
  listSubscriptions,
  readSubscription,
  type Subscription,
} from '../../orders/subscriptions/read-subscriptions.ts'
import { refundTermByOperator } from '../../orders/subscriptions/take-back-term.ts'
import { confirm, isConfirmed } from '../confirm/confirm.ts'
import { termFigures } from '../confirm/money-figures.ts'
import { withInstance } from '../instance/with-instance.ts'
import { fields, table } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { noteOthers, shownMax } from '../short-list.ts'
import type { Declare } from './command.ts'
import { count } from './number-arguments.ts'
import { onInstance } from './on-instance.ts'
import { reasonArgument } from './worded-arguments.ts'

export const declareSubscription: Declare = (program, run) => {
  const subscription = program.command('subscription').description('plans and offers of accounts, term by term')

  subscription
    .command('list')
    .description('list the subscriptions of an account, the one that ends last first')
    .argument('<user_id>', 'or e-mail')
    .action((userId: string) => run((context) => list(context, userId)))

  subscription
    .command('give')
    .description('give an account a term of a plan, free of charge; it extends what the account has')
    .argument('<user_id>', 'or e-mail')
    .argument('<plan_id>', 'plan ID of config/sales.ts')
    .option('--reference <text>', 'idempotency reference: a term is given once per reference')
    .action((userId: string, planId: string, { reference = randomUUID() }: { reference?: string }) =>
      run((context) =>
        act(context, 'subscription give', async (tx) => {
          const accountId = await findAccountId(tx, userId)
          const id = await giveTerm(tx, accountId, { planId, reference, actor: 'operator' })
          return summary(await readSubscription(tx, accountId, id))
        }),
      ),
    )

  subscription
    .command('cancel')
    .description('cancel a subscription at the end of the paid term, without a grace period')
    .argument('<subscription_id>')
    .action((id: string) =>
      run((context) =>
        act(context, 'subscription cancel', async (tx) =>
          summary(await cancelSubscription(tx, await findOwner(tx, id), id, 'operator')),
        ),
      ),
    )

  subscription
    .command('refund')
    .description('refund a term that was bought with credits or given; credits return for the unused part')
    .argument('<subscription_id>')
    .option('--term <number>', 'the last active term by default', count)
    .requiredOption('--reason <text>', 'reason; recorded in the ledger', reasonArgument)
    .action((subscriptionId: string, { term, reason }: { term?: number; reason: string }) =>
      onInstance(run, 'subscription refund', async ({ db }, context) => {
        const number = await confirmedTerm(context, db, subscriptionId, term)
        const request = { subscriptionId, number, reason, actor: 'operator' } as const
        context.out.answer(await db.transaction((tx) => refundTermByOperator(tx, request)), fields)
      }),
    )
}

async function act(context: CommandContext, command: string, work: (tx: Tx) => Promise<object>): Promise<void> {
  await withInstance(context, command, async ({ db }) => context.out.answer(await db.transaction(work), fields))
}

/** The term that was shown: another one may be bought while the question is open. */
async function confirmedTerm(
  context: CommandContext,
  db: Db,
  subscriptionId: string,
  number: number | undefined,
): Promise<number | undefined> {
  if (isConfirmed(context)) return number
  const shown = await termFigures(db, subscriptionId, number)
  if (!shown) return number
  await confirm(context, shown.text)
  return shown.term
}

async function list(context: CommandContext, userId: string): Promise<void> {
  await withInstance(context, 'subscription list', async ({ db }) => {
    const accountId = await findAccountId(db, userId)
    const { subscriptions, total } = await listSubscriptions(db, accountId, { page: 1, limit: shownMax })
    const columns = [
      'subscription_id',
      'product',
      'status',
      'started_at',
      'ends_at',
      'open_until',
      'auto_renew',
    ] as const
    context.out.answer(subscriptions.map(summary), (rows) =>
      table(
        [...columns],
        rows.map((row) => columns.map((name) => row[name])),
      ),
    )
    noteOthers(context, subscriptions.length, total)
  })
}

async function findOwner(tx: Tx, subscriptionId: string): Promise<string> {
  const [found] = isUuid(subscriptionId)
    ? await tx.query<{ id: string }>('SELECT account_id AS id FROM access.subscription WHERE subscription_id = $1', [
        subscriptionId,
      ])
    : []
  if (!found) throw new AppError('NOT_FOUND', 'There is no such subscription.')
  return found.id
}

const summary = (held: Subscription) => ({
  subscription_id: held.subscriptionId,
  user_id: held.accountId,
  kind: held.kind,
  product: held.product,
  status: held.status,
  auto_renew: held.autoRenew,
  started_at: held.startedAt,
  ends_at: held.endsAt,
  open_until: held.untilAt,
  cancelled_at: held.cancelledAt,
  terms: held.terms,
})
