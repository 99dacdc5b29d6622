/** The older shape of a lead, `{lead, full_data}`, and the record of the JSON export: both read the frozen lead. */
import type { LeadRow } from '../../config/lead-columns.ts'
import type { EntityType } from '../domain/identity.ts'
import type { LeadRecord } from './lead-record.ts'

type Fields = Readonly<Record<string, unknown>>

interface FullDataArrays {
  readonly directors: Fields[]
  readonly gst: Fields[]
}

export interface FullData extends FullDataArrays {
  readonly company: Fields | null
}

export interface ExportRecord extends FullDataArrays {
  readonly [field: string]: unknown
}

export interface NestedLead {
  readonly type: EntityType
  readonly identifier: string
  readonly name: string
  readonly lead: LeadRow
  readonly full_data: FullData
}

interface BuiltLead {
  readonly type: EntityType
  readonly identifier: string
  readonly row: LeadRow
  readonly fullData: FullData
}

const leadFields = ['Last_Name', 'Company', 'Email', 'Phone', 'City', 'State', 'Lead_Source', 'CIN'] as const
/** Fields of the full data that, like the contact columns of a flat row, only a paid order shows. */
const contactFields = new Set(['registeredAddress', 'Address', 'City', 'District', 'Pincode', 'email'])

export function nestedLead({ type, identifier, row, fullData }: BuiltLead): NestedLead {
  const cells: LeadRow = { ...row, Phone: row['Phone'] ?? row['Mobile'] ?? null }
  return {
    type,
    identifier,
    name: String(row['Full_Name'] ?? row['Company'] ?? identifier),
    lead: Object.fromEntries(leadFields.map((name) => [name, cells[name] ?? null])),
    full_data: fullData,
  }
}

/** The entity's own fields, the ways to reach it, and the arrays `directors` and `gst` of what belongs to it. */
export function exportRecord({ type, row, fullData }: BuiltLead): ExportRecord {
  const contact = { email: row['Email'], mobile: row['Mobile'], phone: row['Phone'], website: row['Website'] }
  const { company, directors, gst } = fullData
  switch (type) {
    case 'company':
      return { type, ...company, contact, directors, gst }
    case 'director':
      return { type, ...directors[0], contact, directors: [], gst }
    case 'gst':
      return { type, ...gst[0], contact, directors, gst: [] }
  }
}

export function fullDataOf({ record: { company, directors, gst } }: LeadRecord): FullData {
  return { company, directors: [...directors], gst: [...gst] }
}

/** The same data without what only a paid order shows. */
export function fullDataWithoutContact({ company, directors, gst }: FullData): FullData {
  const hide = (fields: Fields): Fields =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, contactFields.has(name) ? null : value]))
  return { company: company && hide(company), directors: directors.map(hide), gst: gst.map(hide) }
}
