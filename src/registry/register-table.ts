/** The three registers as the read side names them: constants for SQL, never text of a user. The row alias is `r`. */
import type { EntityType } from '../domain/identity.ts'

export interface RegisterTable {
  readonly table: string
  readonly key: string
}

export const registerTables: Readonly<Record<EntityType, RegisterTable>> = {
  company: { table: 'registry.company', key: 'r.cin' },
  gst: { table: 'registry.gst_taxpayer', key: 'r.gstin' },
  director: { table: 'registry.director', key: 'r.din' },
}
