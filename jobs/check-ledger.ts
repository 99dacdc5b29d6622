/** check-ledger checks the ledger's invariants and stores the result for doctor and metrics. */
import { proveLedger } from '../src/orders/ledger-check.ts'
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

export const checkLedgerJob = defineJob(queues.checkLedger, async (_payload, { db, log }) => {
  const proof = await proveLedger(db)
  if (proof.violations > 0) log.error(proof, 'the ledger breaks its invariants: see `panji ledger check`')
  return proof
})
