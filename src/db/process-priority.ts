/**
 * Priority on the processors, of a database server's processes: expensive reads run on the same cores as details, and the
 * scheduler of the system shares these evenly between all who have something to do, unless it is told otherwise.
 */
import { getPriority, setPriority } from 'node:os'
import type { PoolClient } from 'pg'
import { yieldingNiceness } from '../../config/connections.ts'

/**
 * The process behind this connection takes what others leave. It must be one of a server that this process has started;
 * where the system refuses, it stays as it is, and the work is the same.
 */
export function makeBackendWay(client: PoolClient): void {
  // pg's types leave it out.
  const { processID } = client as unknown as { readonly processID: number | null }
  if (processID === null) return
  try {
    if (getPriority(processID) < yieldingNiceness) setPriority(processID, yieldingNiceness)
  } catch {
    // Gone already, or of another user.
  }
}
