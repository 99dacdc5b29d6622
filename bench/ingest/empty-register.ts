/** Resets the company register to its state before a first load. */
import type { Db } from '../../src/db/db.ts'

export async function emptyRegister(db: Db): Promise<void> {
  await db.execute(
    'TRUNCATE registry.company, registry.version, ingest.line_offset, ingest.run, ingest.change, ingest.scope, ingest.reject',
  )
  await db.execute('CHECKPOINT')
}
