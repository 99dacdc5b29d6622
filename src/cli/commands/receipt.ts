/** `panji receipt …`: signed receipts of deliveries, and their verification, which needs no database. */
import { receiptNow, signedReceipt } from '../../deliver/record/receipts.ts'
import { type ReceiptVerdict, verifyReceipt } from '../../deliver/record/verify-receipt.ts'
import { jsonText } from '../answer-text.ts'
import { withInstance } from '../instance/with-instance.ts'
import { fields } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { failWith } from '../work-failed.ts'
import { type Declare, prints } from './command.ts'
import { textOfFile } from './named-file.ts'
import { onInstance } from './on-instance.ts'

export const declareReceipt: Declare = (program, run) => {
  const receipt = program.command('receipt').description('signed receipts of deliveries')

  receipt
    .command('show')
    .description('print the receipt of a delivery, to keep as a file')
    .addHelpText('after', prints('{receipt, jws, key}'))
    .argument('<delivery_id>')
    .action((id: string) =>
      onInstance(run, 'receipt show', async ({ db, secretKey }, context) =>
        context.out.answer(await signedReceipt(db, secretKey, id), jsonText),
      ),
    )

  receipt
    .command('verify')
    .description('verify a receipt; works offline unless --here is given')
    .addHelpText('after', prints('{ok, kid, reason}'))
    .argument('<file>')
    .option('--key <kid>', 'accept only the key with this thumbprint')
    .option('--here', 'also compare with this instance, which may lack a receipt that a failover or a restore lost')
    .action((file: string, { key: kid, here }: { key?: string; here?: true }) =>
      run(async (context) => {
        const text = textOfFile(file, 'file', 'NOT_FOUND')
        if (here !== true) return printVerdict(context, await verifyReceipt(text, { kid }))
        await withInstance(context, 'receipt verify', async ({ db }) =>
          printVerdict(context, await verifyReceipt(text, { kid, now: (id) => receiptNow(db, id) })),
        )
      }),
    )
}

function printVerdict({ out }: CommandContext, verdict: ReceiptVerdict): void {
  const message = verdict.reason ?? 'the receipt is not valid'
  if (verdict.ok) out.answer(verdict, fields)
  else failWith(out, verdict, fields, { code: 'CHECK_FAILED', message })
}
