/** Table names of the three registers for reads: SQL constants, never user input. The row alias is `r`. */
import type { EntityType } from '../domain/identity.ts'

export interface RegisterTable {
  readonly table: string
  readonly key: string
  /** The name as written; name_key is its key. */
  readonly name: string
}

export const registerTables: Readonly<Record<EntityType, RegisterTable>> = {
  company: { table: 'registry.company', key: 'r.cin', name: 'r.name' },
  gst: { table: 'registry.gst_taxpayer', key: 'r.gstin', name: 'coalesce(r.trade_name, r.legal_name)' },
  director: { table: 'registry.director', key: 'r.din', name: 'r.full_name' },
}
