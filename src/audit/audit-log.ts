/** The audit log of one API process: its buffers, and the reads that show it. */
import type { Db } from '../db/db.ts'
import { sealAuditLog } from './chain.ts'
import { createReadings, type Readings } from './readings.ts'
import { createRefusals, type Refusals } from './refusals.ts'

export interface AuditLog {
  readonly note: Readings['note']
  readonly refuse: Refusals['note']
  /** Writes the buffers of this process. */
  flush(): Promise<void>
  /** Writes the buffers and seals the rows into the chain, before anything of the audit log is shown. */
  settle(): Promise<void>
}

export function createAuditLog(db: Db, onFault: (error: unknown) => void): AuditLog {
  const readings = createReadings(db, onFault)
  const refusals = createRefusals(db, onFault)
  const flush = async () => {
    await refusals.flush()
    await readings.flush()
  }
  return {
    note: readings.note,
    refuse: refusals.note,
    flush,
    async settle() {
      await flush()
      await sealAuditLog(db)
    },
  }
}
