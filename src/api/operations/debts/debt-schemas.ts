import { z } from 'zod'
import { findDebtorId } from '../../../access/accounts.ts'
import { type Settlement, settleReceivable } from '../../../orders/receivables.ts'
import { exampleIds } from '../../example-records.ts'
import { uuid } from '../../formats.ts'
import type { OperatorActor } from '../../hooks/operator.ts'
import type { Asked } from '../../operation.ts'
import { reasonText, referenceText } from '../../parameters.ts'
import type { ServerContext } from '../../server-context.ts'

export const DebtPath = z.object({
  id: uuid('user_id of the account that owes').meta({ examples: [exampleIds.account] }),
})

export const SettlementBody = z
  .strictObject({
    amount: z.int().min(1).max(1_000_000_000_000).optional().describe('Paise; everything owed by default'),
    reference: referenceText('Idempotency reference'),
    reason: reasonText('Reason; recorded in the ledger and the audit log'),
  })
  .meta({ examples: [{ amount: 1_000, reference: 'bank-2026-117', reason: 'paid by bank transfer' }] })

export const SettledDebt = z
  .object({
    user_id: uuid('ID of the account'),
    settled: z.number().describe('Paise that were settled now'),
    owed: z.number().describe('Paise still owed'),
  })
  .meta({ id: 'SettledDebt' })

export const settledAs =
  (kind: Settlement['kind']) =>
  async (
    { db }: ServerContext,
    request: Asked<typeof DebtPath, typeof SettlementBody>,
    actor: OperatorActor,
  ): Promise<z.output<typeof SettledDebt>> =>
    db.transaction(async (tx) => {
      const accountId = await findDebtorId(tx, request.params.id)
      return settleReceivable(tx, accountId, { kind, ...request.body, actor })
    })
