/** Leads one by one and page by page, as users and other programs of the org read them. */
import type { WireAnswer } from '../kit.ts'
import { destroy, update } from './records.ts'
import { failure, refused, rowsAnswer } from './replies.ts'
import { type Org, type OrgRecord, shownValue } from './state.ts'
import { maySee, shownOwner } from './users.ts'

const pageMax = 200

/** @param parameters `fields` (required), `ids`, `converted` (only converted leads), `page` and `per_page`. */
export function listLeads(org: Org, parameters: URLSearchParams): WireAnswer {
  const names = listed(parameters.get('fields'))
  if (names.length === 0)
    return failure(400, 'REQUIRED_PARAM_MISSING', 'One of the expected parameter is missing', { param_name: 'fields' })
  const size = Math.min(Number(parameters.get('per_page') ?? pageMax), pageMax)
  const page = Number(parameters.get('page') ?? 1)
  const kept = parameters.get('converted') === 'true' ? [...org.converted.values()] : org.records()
  const ids = listed(parameters.get('ids'))
  const all = kept.filter((record) => maySee(org, record) && (ids.length === 0 || ids.includes(record.id)))
  const data = all.slice((page - 1) * size, page * size).map((record) => shown(org, record, names))
  if (data.length === 0) return { status: 204 }
  const info = { per_page: size, count: data.length, page, more_records: all.length > page * size }
  return { status: 200, body: { data, info } }
}

/** @param id of a lead; 204 if it does not exist. */
export function oneLead(
  org: Org,
  { method, id, parameters, body }: { method: string; id: string; parameters: URLSearchParams; body: unknown },
): WireAnswer | undefined {
  if (method === 'DELETE') return destroy(org, [id])
  if (method === 'PUT') {
    const rows: unknown = (body as { readonly data?: unknown } | null)?.data
    return update(org, { data: Array.isArray(rows) ? rows.map((row: object) => ({ ...row, id })) : rows })
  }
  if (method !== 'GET') return undefined
  const record = org.get(id)
  return record && maySee(org, record)
    ? { status: 200, body: { data: [shown(org, record, listed(parameters.get('fields')))] } }
    : { status: 204 }
}

/** A user converts a lead: it leaves the module, and a contact and an account are created. */
export function convertLead(org: Org, id: string): WireAnswer {
  const lead = org.convert(id)
  if (lead === undefined) {
    const message = org.converted.has(id) ? 'the lead is already converted' : 'the id given seems to be invalid'
    return rowsAnswer('data', [refused('INVALID_DATA', message, { id })], 200)
  }
  const { Last_Name: person, Company: company } = lead.values
  const details = {
    Contacts: { name: person, id: org.newId() },
    Accounts: { name: company, id: org.newId() },
    Deals: null,
  }
  const message = 'The record has been converted successfully'
  return rowsAnswer('data', [{ code: 'SUCCESS', details, message, status: 'success' }], 200)
}

/** @param names requested fields; all of the org if empty. */
function shown(org: Org, record: OrgRecord, names: readonly string[]): Readonly<Record<string, unknown>> {
  const fields = org.fields.map((field) => field.api_name).filter((name) => names.length === 0 || names.includes(name))
  const held = fields.map((name) => [name, name === 'Owner' ? shownOwner(record) : shownValue(org, record, name)])
  return { ...Object.fromEntries(held), id: record.id }
}

const listed = (text: string | null): string[] => (text ?? '').split(',').filter(Boolean)
