/** `panji receipt …`: the signed receipt of a delivery, and its verification, which needs no database. */
import { readFileSync } from 'node:fs'
import { signedReceipt } from '../../deliver/record/receipts.ts'
import { verifyReceipt } from '../../deliver/record/verify-receipt.ts'
import { AppError } from '../../errors.ts'
import { jsonText } from '../answer-text.ts'
import { withInstance } from '../instance/with-instance.ts'
import { fields } from '../output.ts'
import { failWith } from '../work-failed.ts'
import { type Declare, prints } from './command.ts'

export const declareReceipt: Declare = (program, run) => {
  const receipt = program.command('receipt').description('signed receipts of deliveries')

  receipt
    .command('show')
    .description('print the receipt of a delivery, to keep as a file')
    .addHelpText('after', prints('{receipt, jws, key}'))
    .argument('<delivery_id>')
    .action((id: string) =>
      run((context) =>
        withInstance(context, 'receipt show', async ({ db, secretKey }) =>
          context.out.answer(await signedReceipt(db, secretKey, id), jsonText),
        ),
      ),
    )

  receipt
    .command('verify')
    .description('tell whether a receipt says what was signed; works offline')
    .addHelpText('after', prints('{ok, kid, reason}'))
    .argument('<file>')
    .option('--key <kid>', 'thumbprint of the one key that counts')
    .action((file: string, options: { key?: string }) =>
      run(async (context) => {
        const verdict = await verifyReceipt(readText(file), options.key)
        if (verdict.ok) return context.out.answer(verdict, fields)
        const message = verdict.reason ?? 'the receipt does not hold'
        failWith(context.out, verdict, fields, { code: 'CHECK_FAILED', message })
      }),
    )
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new AppError('NOT_FOUND', `The file ${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
}
