/** The details of a record of any register, in one shape: its own members, and whom it leads to. */
import { api, dataOf } from '../../wire/api.ts'
import type { RecordType } from '../listed/record-table.tsx'

export interface Relation {
  readonly type: RecordType
  readonly id: string
  readonly name: string
  readonly role: string
  readonly from: string | null
  readonly to: string | null
}

export interface RecordRead {
  readonly name: string
  /** As it is registered, where the name is a trade's. */
  readonly legalName: string | null
  readonly members: Readonly<Record<string, unknown>>
  readonly relations: readonly Relation[]
  readonly version: { readonly as_of: string; readonly closed_on: string | null } | undefined
}

export async function readRecord(type: RecordType, id: string, asOf: string): Promise<RecordRead> {
  const on = asOf === '' ? {} : { as_of: asOf }
  if (type === 'gst') {
    const { data, version } = dataOf(await api.GET('/api/gst/details', { params: { query: { gstin: id, ...on } } }))
    return {
      ...{ name: data.TradeName ?? data.LegalName ?? id, legalName: data.LegalName },
      ...{ members: data, relations: [], version },
    }
  }
  if (type === 'director') {
    const answer = await api.GET('/api/company/director-details', { params: { query: { din: id, ...on } } })
    const { data, version } = dataOf(answer)
    const { companies, ...members } = data
    const relations = companies.map(({ CIN, companyName, Designation, dateOfAppointment, dateOfCessation }) => ({
      type: 'company' as const,
      id: CIN,
      name: companyName ?? CIN,
      role: Designation,
      from: dateOfAppointment,
      to: dateOfCessation,
    }))
    return { name: data.Name, legalName: null, members, relations, version }
  }
  // Who holds office is told of a day.
  const answer = await api.GET('/api/company/details', { params: { query: { cin: id, ...on } } })
  const { data, version, directors = [] } = dataOf(answer)
  const relations = directors.map(({ DIN, Name, Designation, dateOfAppointment, dateOfCessation }) => ({
    type: 'director' as const,
    id: DIN,
    name: Name ?? DIN,
    role: Designation,
    from: dateOfAppointment,
    to: dateOfCessation,
  }))
  return { name: data.companyName, legalName: null, members: data, relations, version }
}
