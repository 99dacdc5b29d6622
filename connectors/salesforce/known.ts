/** Records of an org that lost their identity, found again by Salesforce's own Id. */
import type { Claim } from '../contract.ts'
import { findKnown, type Known } from '../known-records.ts'
import { findMany } from './bulk/read-many.ts'
import { nameRecords } from './claims.ts'
import type { SalesforceRecord } from './client.ts'
import type { SalesforceObject } from './question.ts'
import type { OrgParts } from './records.ts'

/** `restore` gives the records their identity back. */
export type KnownUse = 'look' | 'restore'

export interface KnownQuestion {
  readonly object: SalesforceObject
  readonly lost: readonly Claim[]
  readonly fields: readonly string[]
  readonly use: KnownUse
}

/** A Lead that was converted takes no write any more: it is known by its Id alone. */
export function findKnownRecords(
  { client, settings }: OrgParts,
  { object, lost, fields, use }: KnownQuestion,
): Promise<Known<SalesforceRecord>> {
  const { external_id_field: identity } = settings
  return findKnown<SalesforceRecord>(lost, {
    async read(claims) {
      const keys = [...new Set(claims.map(({ crmId }) => crmId))]
      const records = await findMany(client, { object, keyField: 'Id', keys, fields })
      return new Map(records.map((record) => [record.Id, record]))
    },
    identityOf: (record) => record[identity],
    named: (record, externalId) => ({ ...record, [identity]: externalId }),
    async write(claims, records) {
      const open = claims.filter(({ crmId }) => records.get(crmId)?.['IsConverted'] !== true)
      return use === 'look' || open.length === 0 ? new Map() : nameRecords(client, identity, object, open)
    },
  })
}
