/** Whether the connection between Panji and its database is private: encrypted, or within one machine. */
import type { OpenInstance } from '../instance/open-instance.ts'

export interface ConnectionVerdict {
  readonly ok: boolean
  readonly detail: string
}

/** A plain connection over a private network may be intended, so it is reported but is not a fault. */
export async function databaseConnection({ db }: Pick<OpenInstance, 'db'>): Promise<ConnectionVerdict> {
  const [seen] = await db.query<{ version: string | null; far: string | null }>(
    `SELECT s.version, host(inet_server_addr()) AS far
     FROM pg_stat_ssl s WHERE s.pid = pg_backend_pid()`,
  )
  if (seen?.version) return { ok: true, detail: `encrypted, ${seen.version}` }
  const far = seen?.far
  const within = far === null || far === undefined || far === '::1' || far.startsWith('127.')
  if (within) return { ok: true, detail: 'stays within this machine' }
  return {
    ok: true,
    detail: `goes to ${far} unencrypted; where that is no private network, add sslmode=verify-full to DATABASE_URL`,
  }
}
