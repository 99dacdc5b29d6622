/**
 * CPU priority of a database server's processes. Expensive reads run on the same cores as the lookups of single
 * records, and by default the system's scheduler divides the cores evenly between all of them.
 */
import { getPriority, setPriority } from 'node:os'
import type { PoolClient } from 'pg'
import { yieldingNiceness } from '../../config/connections.ts'

/**
 * Lowers the priority of this connection's server process, which must belong to a server that this process started. If
 * the system refuses, the priority stays unchanged, and the results are the same.
 */
export function makeBackendWay(client: PoolClient): void {
  // pg's types omit it.
  const { processID } = client as unknown as { readonly processID: number | null }
  if (processID === null) return
  try {
    if (getPriority(processID) < yieldingNiceness) setPriority(processID, yieldingNiceness)
  } catch {
    // The process has ended, or belongs to another user.
  }
}
