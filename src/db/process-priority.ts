/**
 * Priority on the processors, of processes beside this one: dear reads and parsers run on the same cores as details, and
 * the scheduler of the system shares these evenly between all who have something to do, unless it is told otherwise.
 */
import { getPriority, setPriority } from 'node:os'
import type { PoolClient } from 'pg'
import { yieldingNiceness } from '../../config/connections.ts'

/**
 * The process takes what others leave. It must run on this machine and under this user, or be reached as root; where the
 * system refuses, it stays as it is, and the work is the same.
 */
export function makeWay(pid: number): void {
  try {
    if (getPriority(pid) < yieldingNiceness) setPriority(pid, yieldingNiceness)
  } catch {
    // Gone already, or of another user.
  }
}

/** The same for the server's process behind a connection; only of a server that this process has started. */
export function makeBackendWay(client: PoolClient): void {
  // pg's types leave it out.
  const { processID } = client as unknown as { readonly processID: number | null }
  if (processID !== null) makeWay(processID)
}
