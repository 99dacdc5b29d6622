/** The registers and their columns, by type of record. */
import type { EntityType } from '../../src/domain/identity.ts'
import type { Columns, Leading } from './column.ts'
import { companyColumns, companyLeading } from './company.ts'
import { directorColumns, directorLeading, directorshipColumns } from './director.ts'
import { gstColumns, gstLeading } from './gst.ts'

export const fields = {
  company: companyColumns,
  gst: gstColumns,
  director: directorColumns,
  directorship: directorshipColumns,
} as const satisfies Record<EntityType | 'directorship', Columns>
export type Register = keyof typeof fields

/** The columns that come first in each response. */
export const leading: Readonly<Record<Register, Leading<Columns>>> = {
  company: companyLeading,
  gst: gstLeading,
  director: directorLeading,
  directorship: {},
}
