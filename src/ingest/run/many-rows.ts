/** Until its end a transaction's statements read or write as many rows as a register has. */
import type { Tx } from '../../db/db.ts'

/** Room for their sorts and hashes; and no time goes into compiling expressions, which takes longer than it saves. */
export async function expectManyRows(tx: Tx): Promise<void> {
  await tx.query(`SELECT set_config('work_mem', '128MB', true), set_config('jit', 'off', true)`)
}
