/**
 * A commit that waits for its synchronous standby may be cancelled, by a timeout or an administrator. It is then
 * committed on the primary and perhaps nowhere else; the server reports success with a warning. Here its outcome counts
 * as unknown, as after a broken connection: it is not acknowledged, and the caller retries.
 */
import type pg from 'pg'

const warned = new WeakSet<object>()

/** Recognized by the server's function name, since the warning's text is localized. */
export function watchCommits(client: pg.PoolClient): void {
  client.on('notice', ({ routine }) => {
    if (routine === 'SyncRepWaitForLSN') warned.add(client)
  })
}

class UnreplicatedCommit extends Error {
  /** transaction_resolution_unknown */
  readonly code = '08007'
}

/** @throws a connection error, once, if the server has warned about the statement that just ended. */
export function requireReplicated(client: pg.PoolClient): void {
  if (warned.delete(client)) throw new UnreplicatedCommit('no standby is known to have what was committed')
}
