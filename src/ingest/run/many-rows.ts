/** Prepares a transaction for statements that read or write as many rows as a register has. */
import type { Tx } from '../../db/db.ts'

/** Memory for sorts and hashes; and no JIT, since compiling the expressions takes longer than it saves. */
export async function expectManyRows(tx: Tx): Promise<void> {
  await tx.query(`SELECT set_config('work_mem', '128MB', true), set_config('jit', 'off', true)`)
}
