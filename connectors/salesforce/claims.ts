/** Gives records of an org the external ids of leads. */
import type { AdoptionPort, Candidate } from '../adoption.ts'
import type { Claim, NotWritten } from '../contract.ts'
import { unlessNamed } from '../known-records.ts'
import type { SalesforceClient, SalesforceRecord } from './client.ts'
import { outcomeOf } from './outcomes.ts'
import type { SalesforceObject } from './question.ts'
import type { SalesforceSettings } from './settings.ts'

/** The condition for it. Before set-up no record has an external id, and the field cannot be queried. */
export const belongsToNoLead = (identity: string, fields: { has(name: string): boolean }): readonly string[] =>
  fields.has(identity) ? [`${identity} = null`] : []

/** @param objectOf the object in which a lead with this external id is stored. */
export function claimedBy(
  client: SalesforceClient,
  { external_id_field: identity }: SalesforceSettings,
  objectOf: (externalId: string) => SalesforceObject,
  columns: readonly string[],
  asCandidate: (record: SalesforceRecord) => Candidate,
): Pick<AdoptionPort, 'read' | 'holders' | 'write'> {
  const byObject = <Item extends { readonly externalId: string }>(items: readonly Item[]) => {
    const parts = new Map<SalesforceObject, Item[]>()
    for (const item of items) {
      const object = objectOf(item.externalId)
      parts.set(object, [...(parts.get(object) ?? []), item])
    }
    return parts
  }
  return {
    async read(claims) {
      const found = new Map<string, Candidate>()
      for (const [object, some] of byObject(claims)) {
        const ids = [...new Set(some.map(({ crmId }) => crmId))]
        for (const record of await client.find(object, 'Id', ids, [identity, ...columns]))
          found.set(record.Id, asCandidate(record))
      }
      return found
    },
    async holders(externalIds) {
      const found = new Map<string, string>()
      for (const [object, some] of byObject(externalIds.map((externalId) => ({ externalId })))) {
        const ids = some.map(({ externalId }) => externalId)
        for (const record of await client.find(object, identity, ids, []))
          found.set(String(record[identity]), record.Id)
      }
      return found
    },
    async write(claims) {
      const unwritten = new Map<string, NotWritten>()
      for (const [object, some] of byObject(claims))
        for (const [id, outcome] of await nameRecords(client, identity, object, some)) unwritten.set(id, outcome)
      return unwritten
    },
  }
}

/**
 * Writes external ids into records of one object. @returns the outcomes of those that were not written, by external
 * id.
 */
export async function nameRecords(
  client: SalesforceClient,
  identity: string,
  object: SalesforceObject,
  claims: readonly Claim[],
): Promise<ReadonlyMap<string, NotWritten>> {
  const unwritten = new Map<string, NotWritten>()
  const rows = claims.map(({ externalId, crmId }) => ({ Id: crmId, [identity]: externalId }))
  const results = await client.update(object, rows)
  // Results are matched by position, so a reply of another length says nothing of any record.
  const complete = results.length === claims.length
  claims.forEach(({ externalId }, n) => {
    const outcome = unlessNamed(outcomeOf(complete ? results[n] : undefined, {}, identity))
    if (outcome !== null) unwritten.set(externalId, outcome)
  })
  return unwritten
}
