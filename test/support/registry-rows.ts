/** Hand-made register rows for tests of the read side; columns not named keep their default or a filler. */
import type { Queryable } from '../../src/db/db.ts'

type Row = Readonly<Record<string, unknown>>
const bookkeeping = { first_run_id: 1, last_run_id: 1, as_of: '2025-10-01' }

async function insert(db: Queryable, table: string, row: Row): Promise<void> {
  const columns = Object.keys(row)
  const places = columns.map((column, index) =>
    column === 'name_key' ? `registry.name_key($${index + 1})` : `$${index + 1}`,
  )
  await db.execute(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places.join(', ')})`, Object.values(row))
}

export async function insertCompany(db: Queryable, row: Row & { readonly cin: string; readonly name: string }) {
  await insert(db, 'registry.company', { company_type: 'Company', name_key: row.name, ...bookkeeping, ...row })
}

export async function insertGst(db: Queryable, row: Row & { readonly gstin: string }) {
  const nameKey = row['trade_name'] ?? row['legal_name'] ?? ''
  await insert(db, 'registry.gst_taxpayer', { kind: 'normal', name_key: nameKey, ...bookkeeping, ...row })
}

export async function insertDirector(db: Queryable, row: Row & { readonly din: string; readonly full_name: string }) {
  await insert(db, 'registry.director', { name_key: row.full_name, ...bookkeeping, ...row })
}

export async function insertDirectorship(db: Queryable, row: Row & { readonly cin: string; readonly din: string }) {
  const id = `${row.cin}|${row.din}|${row['designation']}|${row['appointed_on']}`
  await insert(db, 'registry.directorship', { id, ...bookkeeping, ...row })
}

/** What a merge does when it commits: cached totals of the entity are invalidated. */
export async function raiseVersion(db: Queryable, entity: string): Promise<void> {
  await db.execute(
    `INSERT INTO registry.version (entity, version) VALUES ($1, 1)
     ON CONFLICT (entity) DO UPDATE SET version = registry.version.version + 1`,
    [entity],
  )
}
