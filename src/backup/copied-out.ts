/** Streams the output of COPY … TO STDOUT. */
import type { PoolClient } from 'pg'
import { to as copyTo } from 'pg-copy-streams'

/**
 * A reader that stops early leaves a connection on which the server still waits to be read, so nothing else could be
 * run on it, not even ROLLBACK. So the connection is closed, and the server ends the statement.
 */
export async function* copiedOut(client: PoolClient, statement: string): AsyncGenerator<Buffer> {
  const rows = client.query(copyTo(statement))
  // Once closed, it reports the lost connection again, when no one reads it any more.
  rows.on('error', () => {})
  let isWhole = false
  try {
    yield* rows
    isWhole = true
  } finally {
    // It answers no more: there is nothing to wait for.
    if (!isWhole) void client.end()
  }
}
