/** The older shape of a lead, `{lead, full_data}`, and the record of the JSON export, both from the frozen lead. */
import type { LeadRow } from '../../config/lead-columns.ts'
import type { EntityType } from '../domain/identity.ts'
import type { LeadRecord } from './lead-record.ts'
import { personOf } from './person.ts'
import { visibleRecord } from './visible-record.ts'

type Fields = Readonly<Record<string, unknown>>

interface FullDataArrays {
  readonly directors: Fields[]
  readonly gst: Fields[]
}

export interface FullData extends FullDataArrays {
  readonly company: Fields | null
  /** Missing in older frozen leads. */
  readonly person?: Fields | null
  /** All contacts, with their sources. */
  readonly contacts?: Fields[]
  readonly website?: string | null
}

export interface ExportRecord extends FullDataArrays {
  readonly [field: string]: unknown
}

export interface NestedLead {
  readonly type: EntityType
  readonly identifier: string
  readonly name: string
  readonly lead: LeadRow
  /** The lead's own record among them contains its person and contacts. */
  readonly full_data: Pick<FullData, 'company' | 'directors' | 'gst'>
}

interface BuiltLead {
  readonly type: EntityType
  readonly identifier: string
  readonly row: LeadRow
  readonly fullData?: FullData
  readonly unpaid?: { readonly name: string; readonly reachable: boolean | null }
}

const nothingMore: FullData = { company: null, directors: [], gst: [] }

const leadFields = ['Last_Name', 'Company', 'Email', 'Phone', 'City', 'State', 'Lead_Source', 'CIN'] as const

/** The members with a record's identifier and name. */
const givenFields: Readonly<Record<EntityType, readonly [string, string]>> = {
  company: ['CIN', 'companyName'],
  director: ['DIN', 'Name'],
  gst: ['GSTIN', 'TradeName'],
}

export function nestedLead({ type, identifier, row, fullData = nothingMore }: BuiltLead): NestedLead {
  const cells: LeadRow = { ...row, Phone: row['Phone'] ?? row['Mobile'] ?? null }
  return {
    type,
    identifier,
    name: String(row['Full_Name'] ?? row['Company'] ?? identifier),
    lead: Object.fromEntries(leadFields.map((name) => [name, cells[name] ?? null])),
    full_data: withContacts(type, fullData),
  }
}

/** The specification fixes the top-level members, so further data is added to the lead's own record. */
function withContacts(type: EntityType, full: FullData): NestedLead['full_data'] {
  const { company, directors, gst, person = null, contacts = [], website = null } = full
  const more = { person, contacts, website }
  const own = (of: EntityType, records: readonly Fields[]): Fields[] =>
    records.map((record, index) => (of === type && index === 0 ? { ...record, ...more } : record))
  return {
    company: company && type === 'company' ? { ...company, ...more } : company,
    directors: own('director', directors),
    gst: own('gst', gst),
  }
}

/**
 * The entity's own fields, its contacts, and the arrays `directors` and `gst` of related records; for an unpaid
 * order, the identifier, the buyer's name for it, and whether it has a usable contact.
 */
export function exportRecord({ type, identifier, row, fullData = nothingMore, unpaid }: BuiltLead): ExportRecord {
  if (unpaid) {
    const [key, name] = givenFields[type]
    return { type, [key]: identifier, [name]: unpaid.name, reachable: unpaid.reachable, directors: [], gst: [] }
  }
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

export function fullDataOf(found: LeadRecord): FullData {
  const lead = { ...found, record: visibleRecord(found.record) } as LeadRecord
  const { company, directors, gst, contact } = lead.record
  return {
    company,
    directors: [...directors],
    gst: [...gst],
    person: personOf(lead) as Fields | null,
    contacts: [...contact.ways],
    website: contact.website,
  }
}
