/**
 * Reads Leads by external id. The query reads the records themselves (COQL); Zoho's search uses an index that lags
 * behind. If a reply lags all the same, the unique field prevents a second record.
 */
import { entityTypes } from '../../src/domain/identity.ts'
import { AppError } from '../../src/errors.ts'
import type { ValuesByField } from '../adoption.ts'
import { readAs } from '../answers.ts'
import type { CrmField, Refusal, ReportRestorable } from '../contract.ts'
import type { FoundRecord } from '../push-port.ts'
import { slices } from '../slices.ts'
import type { ZohoClient } from './client.ts'
import { columnsToAsk, identityField } from './mapping.ts'
import { refusalOf, refusedCall, rowReplies } from './outcomes.ts'
import { RecordList, type RowReply, type ZohoRecord } from './replies.ts'

/** For API version 7 and later; before, the limit was 50 for both. */
const valuesMax = 100
const columnsMax = 500
/** Rows that a query returns for one credit, and the maximum, for three. */
const rowsOfCredit = 200
const rowsMax = 2_000
const deleteMax = 100
/** The shape of valid external ids; nothing else could be quoted safely. */
const externalIdShape = /^(company|director|gst):[A-Za-z0-9-]{1,60}$/

export const isExternalId = (text: string): boolean => externalIdShape.test(text)

/**
 * External ids that Zoho does not have are absent. @param named fields of the customer's mapping, in addition to
 * Panji's own.
 */
export async function findRecords(
  client: ZohoClient,
  externalIds: readonly string[],
  fields: ReadonlyMap<string, CrmField>,
  named: ReadonlySet<string> = new Set(),
): Promise<ReadonlyMap<string, FoundRecord>> {
  const found = new Map<string, FoundRecord>()
  for (const type of entityTypes) {
    const ids = [...new Set(externalIds)].filter((id) => isExternalId(id) && id.startsWith(`${type}:`))
    const columns = [...new Set([...columnsToAsk(type, fields), ...named])].filter((name) => name !== identityField)
    const parts = columns.length === 0 ? [[]] : slices(columns, columnsMax - 1)
    for (const some of slices(ids, valuesMax)) for (const part of parts) await findSome(client, some, part, found)
  }
  return found
}

async function findSome(
  client: ZohoClient,
  ids: readonly string[],
  columns: readonly string[],
  found: Map<string, FoundRecord>,
): Promise<void> {
  const list = ids.map((id) => `'${id}'`).join(',')
  const names = [identityField, ...columns].join(', ')
  const query = `select ${names} from Leads where ${identityField} in (${list}) limit ${2 * valuesMax}`
  for (const record of await ask(client, query)) {
    const externalId = ids.find((id) => id.toLowerCase() === String(record[identityField]).toLowerCase())
    if (externalId === undefined) continue
    const values = Object.entries(record).filter(([name, value]) => name !== 'id' && value !== null && value !== '')
    const known = found.get(externalId)?.values
    found.set(externalId, { crmId: record.id, values: { ...known, ...Object.fromEntries(values) } })
  }
}

/**
 * Records that have one of the values given for a field, and whether there may be more. The caller leaves out values
 * with a backslash or a double quotation mark. @param empty a field that is empty in each record.
 */
export async function findBy(
  client: ZohoClient,
  values: ValuesByField,
  columns: readonly string[],
  empty: string | null = null,
): Promise<{ readonly records: readonly FoundRecord[]; readonly mayBeMore: boolean }> {
  const found = new Map<string, FoundRecord>()
  let mayBeMore = false
  const distinct = [...new Set(columns)]
  const most = Math.max(0, ...[...values.values()].map(({ length }) => length))
  for (let from = 0; from < most; from += valuesMax) {
    const held = anyOf(values, from)
    const condition = empty === null ? held : `(${held} and ${empty} is null)`
    for (const names of slices(distinct, columnsMax)) {
      const upTo = (rows: number) =>
        ask(client, `select ${names.join(', ')} from Leads where ${condition} limit ${rows}`)
      const first = await upTo(rowsOfCredit)
      const records = first.length < rowsOfCredit ? first : await upTo(rowsMax)
      mayBeMore ||= records.length >= rowsMax
      for (const { id, ...held } of records) {
        const known = Object.entries(held).filter(([, value]) => value !== null && value !== '')
        found.set(id, { crmId: id, values: { ...found.get(id)?.values, ...Object.fromEntries(known) } })
      }
    }
  }
  return { records: [...found.values()], mayBeMore }
}

/** COQL combines conditions in pairs. */
function anyOf(values: ValuesByField, from: number): string {
  const conditions = [...values].flatMap(([field, texts]) => {
    const list = texts.slice(from, from + valuesMax).map(quoted)
    return list.length === 0 ? [] : [`${field} in (${list.join(',')})`]
  })
  return conditions.reduce((pairs, condition) => `(${pairs} or ${condition})`)
}

/** Two quotation marks in a text stand for one. */
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

async function ask(client: ZohoClient, query: string): Promise<readonly ZohoRecord[]> {
  const { status, body } = await client.ask({ method: 'POST', path: '/coql', body: { select_query: query } })
  if (status === 204) return []
  if (status >= 300) throw refusedCall('read Leads by their Panji Id', status, body)
  return readAs(RecordList, body, "Zoho's answer to a question").data
}

/**
 * Moves the records into Zoho's recycle bin. @throws AppError CRM_UNAVAILABLE if one still exists, after the others
 * are deleted.
 */
export async function deleteRecords(
  client: ZohoClient,
  found: ReadonlyMap<string, FoundRecord>,
  reportRestorable: ReportRestorable,
): Promise<void> {
  const refused: Refusal[] = []
  for (const slice of slices([...found], deleteMax)) {
    const path = `/Leads?ids=${slice.map(([, { crmId }]) => crmId).join(',')}&wf_trigger=false`
    const { status, body } = await client.ask({ method: 'DELETE', path })
    const replies = rowReplies(body, slice.length)
    if (replies === null) throw refusedCall('delete Leads', status, body)
    slice.forEach(([externalId], n) => {
      const reply = replies[n] ?? null
      if (reply?.status === 'success')
        reportRestorable(externalId, 'it lies in the recycle bin of Zoho for up to 60 days')
      else if (reply === null || !isGone(reply)) refused.push(reply === null ? unsaid : refusalOf(reply))
    })
  }
  const [first] = refused
  if (first === undefined) return
  const message = `Zoho did not delete every record: ${first.code}: ${first.message}`
  throw new AppError('CRM_UNAVAILABLE', message, { retry: 'later' })
}

const unsaid: Refusal = { code: 'NO_ANSWER', field: null, message: 'the answer holds no result for a record' }
/** It was deleted since it was found. */
const isGone = ({ code }: RowReply): boolean => code === 'INVALID_DATA'
