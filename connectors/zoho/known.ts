/** Finds Leads of the org that lost their external id by Zoho's own id. */
import { entityTypes } from '../../src/domain/identity.ts'
import { findKnown, type Known, type KnownUse, lostAmong, type Sought } from '../known-records.ts'
import type { FoundRecord } from '../push-port.ts'
import { nameRecords, readByIds } from './adopt.ts'
import type { ZohoClient } from './client.ts'
import { convertedAmong } from './converted.ts'
import type { Fields } from './decide.ts'
import { columnsToAsk, identityField } from './mapping.ts'
import type { ZohoSettings } from './settings.ts'

export function findKnownRecords(
  client: ZohoClient,
  settings: ZohoSettings,
  leads: readonly Sought[],
  found: ReadonlyMap<string, FoundRecord>,
  { mapped, named }: Fields,
  use: KnownUse,
): Promise<Known<FoundRecord>> {
  const lost = lostAmong(leads, found)
  const types = entityTypes.filter((type) => lost.some(({ externalId }) => externalId.startsWith(`${type}:`)))
  const columns = [...new Set(types.flatMap((type) => columnsToAsk(type, mapped))), ...named]
  return findKnown<FoundRecord>(lost, {
    ...{ crm: 'Zoho', identity: identityField, onDeleted: settings.on_deleted, use },
    idOf: ({ crmId }) => crmId,
    read: (claims) => readByIds(client, claims, columns),
    goneOtherwise: (claims) => convertedAmong(client, claims),
    identityOf: ({ values }) => values[identityField],
    named: (record, externalId) => ({ ...record, values: { ...record.values, [identityField]: externalId } }),
    write: (claims) => nameRecords(client, settings, claims),
  })
}
