/**
 * `panji payments evidence`: everything known about one payment as one document, with the signed receipts of what was
 * delivered.
 */
import type { Command } from 'commander'
import { signedReceipt } from '../../deliver/record/receipts.ts'
import { readEvidence } from '../../orders/payments/read-evidence.ts'
import { jsonText } from '../answer-text.ts'
import type { OpenInstance } from '../instance/open-instance.ts'
import type { CommandContext } from '../settings.ts'
import type { Declare } from './command.ts'
import { onInstance } from './on-instance.ts'

export function declarePaymentsEvidence(payments: Command, run: Parameters<Declare>[1]): void {
  payments
    .command('evidence')
    .description('print the evidence for a disputed payment, to keep as a file: orders, receipts, deliveries, sign-ins')
    .argument('<id>', 'payment or dispute of the processor, or an order or purchase')
    .action((id: string) => onInstance(run, 'payments evidence', (instance, context) => print(context, instance, id)))
}

async function print(context: CommandContext, { db, secretKey }: OpenInstance, id: string): Promise<void> {
  const evidence = await readEvidence(db, id, 'operator')
  const receipts: string[] = []
  for (const { delivery_id: deliveryId, state } of evidence.deliveries) {
    if (state === 'acknowledged') receipts.push((await signedReceipt(db, secretKey, deliveryId)).jws)
  }
  context.out.answer({ ...evidence, receipts }, jsonText)
}
