/** `panji payments owed|collect|write-off`: what buyers owe after chargebacks, and how it is settled. */
import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { findDebtorId } from '../../access/accounts.ts'
import collectDebt from '../../api/operations/debts/collect.ts'
import listDebts from '../../api/operations/debts/list.ts'
import writeOffDebt from '../../api/operations/debts/write-off.ts'
import type { Db } from '../../db/db.ts'
import { confirm, isConfirmed } from '../confirm/confirm.ts'
import { debtFigures } from '../confirm/money-figures.ts'
import { debtTable, settledText } from '../debt-text.ts'
import type { CommandContext } from '../settings.ts'
import { type Declare, prints } from './command.ts'
import { onOperations } from './on-operations.ts'
import { paiseArgument, reasonArgument, referenceArgument } from './worded-arguments.ts'

interface Options {
  readonly amount?: number
  readonly reference?: string
  readonly reason: string
}

const ways = [
  ['collect', collectDebt, "record a payment towards an account's debt that came another way, such as a bank transfer"],
  ['write-off', writeOffDebt, "write off an account's debt as a loss"],
] as const

export function declarePaymentsOwed(payments: Command, run: Parameters<Declare>[1]): void {
  payments
    .command('owed')
    .description('list who owes money after a chargeback, and how much')
    .addHelpText('after', prints('[{user_id, email, owed, since}], in paise'))
    .action(() =>
      onOperations(run, 'payments owed', async ({ call }, context) => {
        context.out.answer((await call(listDebts)).data, debtTable)
      }),
    )

  for (const [name, settle, description] of ways) {
    payments
      .command(name)
      .description(description)
      .addHelpText('after', prints('{user_id, settled, owed}, in paise'))
      .argument('<user_id>', 'or e-mail')
      .option('--amount <rupees>', 'such as 590 or 590.50; everything owed by default', paiseArgument)
      .option('--reference <text>', 'idempotency reference', referenceArgument)
      .requiredOption('--reason <text>', 'reason; recorded in the ledger and the audit log', reasonArgument)
      .action((user: string, { amount, reference = randomUUID(), reason }: Options) =>
        onOperations(run, `payments ${name}`, async ({ call }, context, { db }) => {
          const id = await findDebtorId(db, user)
          const paise = name === 'write-off' ? await confirmedLoss(context, db, id, amount) : amount
          const body = { amount: paise, reference, reason }
          context.out.answer(await call(settle, { params: { id }, body }), settledText)
        }),
      )
  }
}

/** No more than was shown: a chargeback may come in while the question is open. */
async function confirmedLoss(
  context: CommandContext,
  db: Db,
  accountId: string,
  amount: number | undefined,
): Promise<number | undefined> {
  if (isConfirmed(context)) return amount
  const { loss, text } = await debtFigures(db, accountId, amount)
  await confirm(context, text)
  return loss
}
