/** Finds companies and contacts that lost their external id by HubSpot's own id, with one read per object. */
import { findKnown, type Known, type KnownUse, lostAmong, type Sought } from '../known-records.ts'
import type { FoundRecord } from '../push-port.ts'
import { byObject, nameRecords } from './adopt.ts'
import type { HubspotClient } from './client.ts'
import { readBy } from './lookup.ts'
import { type CrmObject, idProperty, propertiesOf } from './mapping.ts'
import type { HubspotSettings } from './settings.ts'

/** A merge gives both records a new id; read by an old id, HubSpot returns the surviving record with its former ids. */
const mergedIds = 'hs_merged_object_ids'

export function findKnownRecords(
  client: HubspotClient,
  { on_deleted: onDeleted }: Pick<HubspotSettings, 'on_deleted'>,
  leads: readonly Sought[],
  found: ReadonlyMap<string, FoundRecord>,
  more: (object: CrmObject) => readonly string[],
  use: KnownUse,
): Promise<Known<FoundRecord>> {
  return findKnown<FoundRecord>(lostAmong(leads, found), {
    ...{ crm: 'HubSpot', identity: idProperty, onDeleted, use },
    async read(claims) {
      const held = new Map<string, FoundRecord>()
      for (const [object, some] of byObject(claims)) {
        const ids = [...new Set(some.map(({ crmId }) => crmId))]
        const properties = [...propertiesOf(object).keys(), ...more(object), mergedIds]
        for (const record of await readBy(client, object, 'hs_object_id', ids, properties))
          for (const id of [record.crmId, ...String(record.values[mergedIds] ?? '').split(';')]) held.set(id, record)
      }
      return held
    },
    idOf: ({ crmId }) => crmId,
    identityOf: ({ values }) => values[idProperty],
    named: (record, externalId) => ({ ...record, values: { ...record.values, [idProperty]: externalId } }),
    write: (claims) => nameRecords(client, claims),
  })
}
