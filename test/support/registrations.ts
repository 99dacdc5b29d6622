/** Recently registered records, written as ingest writes them: one row of the register each. */
import type { Db } from '../../src/db/db.ts'
import type { EntityType } from '../../src/domain/identity.ts'

export interface NewRegistration {
  readonly state: string | null
  readonly district: string | null
  readonly pincode: string | null
  readonly registeredOn: string
}

export interface Registration extends NewRegistration {
  readonly identifier: string
}

/** Replaces the dataset's rows; identifiers are in a different order than the dates. */
export async function addRegistrations(
  db: Db,
  dataset: EntityType,
  rows: readonly NewRegistration[],
): Promise<Registration[]> {
  const stored = rows.map((row, index) => ({ ...row, identifier: identifierOf(dataset, (index * 7919) % 100_000) }))
  await db.transaction(async (tx) => {
    await tx.execute(`TRUNCATE ${tables[dataset]}`)
    await tx.execute(inserts[dataset], [JSON.stringify(stored)])
    await tx.execute(
      `INSERT INTO registry.version AS v (entity, version) VALUES ($1, 1)
       ON CONFLICT (entity) DO UPDATE SET version = v.version + 1`,
      [dataset],
    )
  })
  return stored
}

function identifierOf(dataset: EntityType, number: number): string {
  const digits = String(number + 1).padStart(6, '0')
  if (dataset === 'company') return `U62011GA2024PTC${digits}`
  return dataset === 'director' ? `00${digits}` : `30AAAC${digits.slice(0, 5)}${digits.slice(5)}ZX`
}

const source = `jsonb_to_recordset($1::jsonb)
  AS n(identifier text, state text, district text, pincode text, "registeredOn" date)`
const tables = { company: 'registry.company', director: 'registry.director', gst: 'registry.gst_taxpayer' } as const
const inserts = {
  company: `INSERT INTO registry.company (cin, company_type, name, name_key, status, incorporated_on, state, district,
      pincode, first_run_id, last_run_id, as_of)
    SELECT identifier, 'Company', 'Record', 'record ' || identifier, 'Active', "registeredOn", state, district, pincode, 1, 1, now()
    FROM ${source}`,
  director: `INSERT INTO registry.director (din, full_name, name_key, status, approved_on, state, district, pincode,
      first_run_id, last_run_id, as_of)
    SELECT identifier, 'Record', 'record ' || ltrim(identifier, '0'), 'Approved', "registeredOn", state, district, pincode, 1, 1, now()
    FROM ${source}`,
  gst: `INSERT INTO registry.gst_taxpayer (gstin, kind, name_key, status, registered_on, state, district, pincode,
      first_run_id, last_run_id, as_of)
    SELECT identifier, 'normal', 'record ' || identifier, 'Active', "registeredOn", state, district, pincode, 1, 1, now()
    FROM ${source}`,
} as const
