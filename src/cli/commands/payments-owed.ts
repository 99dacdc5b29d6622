/** `panji payments owed|collect|write-off`: what buyers owe who charged money back, and how it is settled. */
import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { findAccountId } from '../../access/accounts.ts'
import { listReceivables, settleReceivable } from '../../orders/receivables.ts'
import { withInstance } from '../instance/with-instance.ts'
import { fields, table } from '../output.ts'
import { type Declare, prints } from './command.ts'
import { paiseArgument, reasonArgument, referenceArgument } from './reason-argument.ts'

interface Options {
  readonly amount?: number
  readonly reference?: string
  readonly reason: string
}

const ways = [
  ['collect', 'collect', 'money came another way, such as to the bank, for what an account owes'],
  ['write-off', 'write_off', 'what an account owes will not come: book it as a loss'],
] as const

export function declarePaymentsOwed(payments: Command, run: Parameters<Declare>[1]): void {
  payments
    .command('owed')
    .description('who owes money after a chargeback, and how much')
    .addHelpText('after', prints('[{user_id, email, owed, since}], in paise'))
    .action(() =>
      run((context) =>
        withInstance(context, 'payments owed', async ({ db }) => {
          context.out.answer(await listReceivables(db), (rows) =>
            table(
              ['account', 'e-mail', 'paise', 'since'],
              rows.map(({ user_id: id, email, owed, since }) => [id, email, owed, since]),
            ),
          )
        }),
      ),
    )

  for (const [name, kind, description] of ways) {
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
          withInstance(context, `payments ${name}`, async ({ db }) => {
            const settled = await db.transaction(async (tx) => {
              const asked = { kind, amount, reference, reason, actor: 'operator' } as const
              return settleReceivable(tx, await findAccountId(tx, user), asked)
            })
            context.out.answer(settled, fields)
          }),
        ),
      )
  }
}
