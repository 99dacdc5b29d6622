/** Records, history and parts of the company register as `test/oracle/register.ts` tells them. */
import type { Db } from '../../src/db/db.ts'

const columns = [
  ['name', 'name'],
  ['status', 'status'],
  ['part', 'roc_code'],
  ['closedOn', 'closed_on'],
] as const

/** The four fields of a change that the oracle knows, as far as it holds them. */
function fieldsOf(cells: Readonly<Record<string, unknown>> | null): Record<string, unknown> | null {
  if (cells === null) return null
  return Object.fromEntries(columns.flatMap(([name, column]) => (column in cells ? [[name, cells[column]]] : [])))
}

export async function registerState(db: Db): Promise<{ records: unknown[]; history: unknown[]; parts: unknown[] }> {
  const records = await db.query(
    `SELECT right(cin, 6)::integer AS n, name, status, roc_code AS part, closed_on AS "closedOn", as_of AS day,
            first_run_id AS "firstRun", last_run_id AS "lastRun"
     FROM registry.company ORDER BY cin`,
  )
  const changes = await db.query<{
    n: number
    run: number
    kind: string
    day: string
    before: Record<string, unknown> | null
    after: Record<string, unknown> | null
  }>(
    `SELECT right(identifier, 6)::integer AS n, run_id AS run, kind, as_of AS day, before, after
     FROM ingest.change WHERE entity = 'company' ORDER BY identifier, change_id`,
  )
  const history = changes.map((change) => ({
    ...change,
    before: fieldsOf(change.before),
    after: fieldsOf(change.after),
  }))
  const parts = await db.query(
    `SELECT scope AS part, run_id AS run, as_of AS day FROM ingest.scope WHERE source = 'mca-companies' ORDER BY scope`,
  )
  return { records, history, parts }
}
