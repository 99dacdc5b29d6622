/** Leads of the org that lost their identity, found again by Zoho's own id. */
import type { OutgoingLead } from '../contract.ts'
import { findKnown, type Known, lostAmong } from '../known-records.ts'
import { nameRecords, readByIds } from './adopt.ts'
import type { ZohoClient } from './client.ts'
import type { Fields } from './decide.ts'
import type { FoundRecord } from './lookup.ts'
import { columnsToAsk, identityField } from './mapping.ts'
import type { ZohoSettings } from './settings.ts'

/** @param how `restore` gives them their identity back. */
export function findKnownRecords(
  client: ZohoClient,
  settings: ZohoSettings,
  leads: readonly OutgoingLead[],
  found: ReadonlyMap<string, FoundRecord>,
  { mapped, named }: Fields,
  how: 'look' | 'restore',
): Promise<Known<FoundRecord>> {
  const types = new Set(leads.map(({ type }) => type))
  const columns = [...new Set([...types].flatMap((type) => columnsToAsk(type, mapped))), ...named]
  return findKnown<FoundRecord>(lostAmong(leads, found), {
    ...{ crm: 'Zoho', identity: identityField, onDeleted: settings.on_deleted },
    idOf: ({ crmId }) => crmId,
    read: (claims) => readByIds(client, claims, columns),
    identityOf: ({ values }) => values[identityField],
    named: (record, externalId) => ({ ...record, values: { ...record.values, [identityField]: externalId } }),
    write: async (claims) => (how === 'restore' ? nameRecords(client, settings, claims) : new Map()),
  })
}
