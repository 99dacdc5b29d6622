/** `panji payments owed|collect|write-off`: what buyers owe who charged money back, and how it is settled. */
import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { findAccountId } from '../../access/accounts.ts'
import collectDebt from '../../api/operations/debts/collect.ts'
import listDebts from '../../api/operations/debts/list.ts'
import writeOffDebt from '../../api/operations/debts/write-off.ts'
import { debtTable, settledText } from '../debt-text.ts'
import { withOperations } from '../instance/with-operations.ts'
import { type Declare, prints } from './command.ts'
import { paiseArgument, reasonArgument, referenceArgument } from './worded-arguments.ts'

interface Options {
  readonly amount?: number
  readonly reference?: string
  readonly reason: string
}

const ways = [
  ['collect', collectDebt, 'money came another way, such as to the bank, for what an account owes'],
  ['write-off', writeOffDebt, 'what an account owes will not come: book it as a loss'],
] as const

export function declarePaymentsOwed(payments: Command, run: Parameters<Declare>[1]): void {
  payments
    .command('owed')
    .description('who owes money after a chargeback, and how much')
    .addHelpText('after', prints('[{user_id, email, owed, since}], in paise'))
    .action(() =>
      run((context) =>
        withOperations(context, 'payments owed', async ({ call }) => {
          context.out.answer((await call(listDebts)).data, debtTable)
        }),
      ),
    )

  for (const [name, settle, description] of ways) {
    payments
      .command(name)
      .description(description)
      .addHelpText('after', prints('{user_id, settled, owed}, in paise'))
      .argument('<user_id>', 'or e-mail')
      .option('--amount <rupees>', 'such as 590 or 590.50; all that is owed unless told', paiseArgument)
      .option('--reference <text>', 'under one reference it happens once', referenceArgument)
      .requiredOption('--reason <text>', 'why; it stands in the ledger and in the audit log', reasonArgument)
      .action((user: string, { amount, reference = randomUUID(), reason }: Options) =>
        run((context) =>
          withOperations(context, `payments ${name}`, async ({ call }, { db }) => {
            const params = { id: await findAccountId(db, user) }
            context.out.answer(await call(settle, { params, body: { amount, reference, reason } }), settledText)
          }),
        ),
      )
  }
}
