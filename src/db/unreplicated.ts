/**
 * A commit that waits for its synchronous standby may be cancelled, by a time-out or by somebody. It has happened on the primary then, and
 * perhaps nowhere else; the server calls it done, and warns. Here its outcome is unknown, as where the connection broke: it is not
 * acknowledged, and whoever asked asks again.
 */
import type pg from 'pg'

const warned = new WeakSet<object>()

/** By the name of the server's function: the words of the warning are in the server's language. */
export function watchCommits(client: pg.PoolClient): void {
  client.on('notice', ({ routine }) => {
    if (routine === 'SyncRepWaitForLSN') warned.add(client)
  })
}

class UnreplicatedCommit extends Error {
  /** transaction_resolution_unknown */
  readonly code = '08007'
}

/** @throws an error of the connection, once, where the server has warned of the statement that just ended. */
export function requireReplicated(client: pg.PoolClient): void {
  if (warned.delete(client)) throw new UnreplicatedCommit('no standby is known to have what was committed')
}
