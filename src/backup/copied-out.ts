/** What COPY … TO STDOUT sends, as it comes. */
import type { PoolClient } from 'pg'
import { to as copyTo } from 'pg-copy-streams'

/**
 * A reader that stops early leaves a connection on which the server still waits to be read: nothing else would ever be answered on
 * it, not even ROLLBACK. So it is cut, and the server ends the statement.
 */
export async function* copiedOut(client: PoolClient, statement: string): AsyncGenerator<Buffer> {
  const rows = client.query(copyTo(statement))
  // Cut off, it tells of the connection once more, when nobody reads it any longer.
  rows.on('error', () => {})
  let isWhole = false
  try {
    yield* rows
    isWhole = true
  } finally {
    // It answers nobody more: nothing to wait for.
    if (!isWhole) void client.end()
  }
}
