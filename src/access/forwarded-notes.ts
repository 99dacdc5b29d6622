/** What the API noticed about an untrusted proxy, for doctor, which runs in another process. */

import { audit } from '../audit/audit.ts'
import type { Queryable } from '../db/db.ts'

const action = 'see untrusted proxy'
/** An older note says nothing about the current settings. */
const noteDays = 7

/** At most one row per address and day: anyone can send the header without a proxy. */
export async function noteForwarded(db: Queryable, address: string): Promise<void> {
  const [known] = await db.query(
    `SELECT 1 FROM access.audit WHERE action = $1 AND at > now() - interval '1 day' LIMIT 1`,
    [action],
  )
  if (!known) await audit(db, { actor: 'system', action, subject: address })
}

/** @returns the address that forwarded last, and when; undefined where none did recently. */
export async function lastForwarded(db: Queryable): Promise<{ address: string; at: Date } | undefined> {
  const [note] = await db.query<{ address: string; at: Date }>(
    `SELECT subject AS address, at FROM access.audit
     WHERE action = $1 AND at > now() - make_interval(days => $2) ORDER BY audit_id DESC LIMIT 1`,
    [action, noteDays],
  )
  return note
}
