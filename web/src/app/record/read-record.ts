/** Details of a record of any register in one shape: its members and its relations. */
import type { components } from '../../../../client/api-types.ts'
import { indianDay } from '../../look/indian-day.ts'
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
  /** The registered name, where `name` is a trade name. */
  readonly legalName: string | null
  readonly members: Readonly<Record<string, unknown>>
  readonly relations: readonly Relation[]
  readonly origin: components['schemas']['RecordOrigin'] | undefined
  readonly version: { readonly as_of: string; readonly closed_on: string | null } | undefined
}

export async function readRecord(type: RecordType, id: string, asOf: string): Promise<RecordRead> {
  const on = { ...(asOf !== '' && { as_of: asOf }), include: 'origin' as const }
  if (type === 'gst') {
    const { data, version, origin } = dataOf(
      await api.GET('/api/gst/details', { params: { query: { gstin: id, ...on } } }),
    )
    return {
      ...{ name: data.TradeName ?? data.LegalName ?? id, legalName: data.LegalName },
      ...{ members: data, relations: [], version, origin },
    }
  }
  if (type === 'director') {
    const answer = await api.GET('/api/company/director-details', { params: { query: { din: id, ...on } } })
    const { data, version, origin } = dataOf(answer)
    const { companies, ...members } = data
    const relations = companies.map(({ CIN, companyName, Designation, dateOfAppointment, dateOfCessation }) => ({
      type: 'company' as const,
      id: CIN,
      name: companyName ?? CIN,
      role: Designation,
      from: dateOfAppointment,
      to: dateOfCessation,
    }))
    return { name: data.Name, legalName: null, members, relations, version, origin }
  }
  // Directors are read as of a day, and for now that is today: one counted read instead of two.
  const query = { cin: id, as_of: indianDay(), ...on }
  const { data, version, origin, directors = [] } = dataOf(await api.GET('/api/company/details', { params: { query } }))
  const relations = directors.map(({ DIN, Name, Designation, dateOfAppointment, dateOfCessation }) => ({
    type: 'director' as const,
    id: DIN,
    name: Name ?? DIN,
    role: Designation,
    from: dateOfAppointment,
    to: dateOfCessation,
  }))
  return { name: data.companyName, legalName: null, members: data, relations, version, origin }
}

/** Today in India. */
