/** Finds records of an org that lost their external id by Salesforce's own Id. */
import { findKnown, type Known, type KnownUse, type Lost } from '../known-records.ts'
import { findMany, type ManyRecords } from './bulk/read-many.ts'
import { nameRecords } from './claims.ts'
import type { SalesforceClient, SalesforceRecord } from './client.ts'
import type { SalesforceObject } from './question.ts'
import type { OrgParts } from './records.ts'

export interface KnownQuestion {
  readonly object: SalesforceObject
  readonly lost: readonly Lost[]
  readonly fields: readonly string[]
  readonly use: KnownUse
}

/** A converted Lead no longer accepts writes: it is known by its Id only. */
export function findKnownRecords(
  { client, settings }: OrgParts,
  { object, lost, fields, use }: KnownQuestion,
): Promise<Known<SalesforceRecord>> {
  const { external_id_field: identity, on_deleted: onDeleted } = settings
  return findKnown<SalesforceRecord>(lost, {
    ...{ crm: 'Salesforce', identity, onDeleted, use },
    read: (claims) => readWinners(client, { object, keyField: 'Id', fields }, claims),
    idOf: ({ Id }) => Id,
    identityOf: (record) => record[identity],
    named: (record, externalId) => ({ ...record, [identity]: externalId }),
    isClosed: (record) => record['IsConverted'] === true,
    write: (claims) => nameRecords(client, identity, object, claims),
  })
}

/** What the recycle bin knows of a record. */
const binFields = ['IsDeleted', 'MasterRecordId']
/** How often a surviving record that was merged again is followed. */
const mergesMax = 5

/** For merged records, which are in the recycle bin, the records that they were merged into. */
async function readWinners(
  client: SalesforceClient,
  { fields, ...of }: Omit<ManyRecords, 'keys'>,
  lost: readonly Lost[],
): Promise<ReadonlyMap<string, SalesforceRecord>> {
  const winners = new Map<string, SalesforceRecord>()
  let open = new Map(lost.map(({ crmId }) => [crmId, crmId] as const))
  for (let merges = 0; open.size > 0 && merges <= mergesMax; merges += 1) {
    const keys = [...new Set(open.values())]
    const records = await findMany(client, { ...of, keys, fields: [...fields, ...binFields], isBinToo: true })
    const byId = new Map(records.map((record) => [record.Id, record]))
    const next = new Map<string, string>()
    for (const [crmId, id] of open) {
      const record = byId.get(id)
      const master = record?.['MasterRecordId']
      if (record !== undefined && record['IsDeleted'] !== true) winners.set(crmId, record)
      else if (typeof master === 'string') next.set(crmId, master)
    }
    open = next
  }
  return winners
}
