/**
 * Finds Leads that users converted: they leave the module and no query sees them, but the list of records can return
 * them.
 */
import { readAs } from '../answers.ts'
import type { Claim } from '../contract.ts'
import type { Fate } from '../known-records.ts'
import { slices } from '../slices.ts'
import type { ZohoClient } from './client.ts'
import { refusedCall } from './outcomes.ts'
import { RecordList } from './replies.ts'

const idsMax = 100

/** @returns why such a lead is not written, by Zoho's id, for the converted ones. */
export async function convertedAmong(client: ZohoClient, claims: readonly Claim[]): Promise<ReadonlyMap<string, Fate>> {
  const converted = new Map<string, Fate>()
  const ids = [...new Set(claims.map(({ crmId }) => crmId))].filter((id) => /^\d{1,30}$/.test(id))
  for (const some of slices(ids, idsMax)) {
    const path = `/Leads?ids=${some.join(',')}&fields=Last_Name&converted=true`
    const { status, body } = await client.ask({ method: 'GET', path })
    // An org whose list does not return converted Leads has none to return.
    if (status === 204 || status === 400 || status === 404) continue
    if (status >= 300) throw refusedCall('read converted Leads', status, body)
    const { data } = readAs(RecordList, body, "Zoho's list of converted Leads")
    for (const { id } of data) if (some.includes(id)) converted.set(id, wasConverted(id))
  }
  return converted
}

const wasConverted = (id: string): Fate => ({
  ...{ status: 'rejected', code: 'CONVERTED', field: null, isFate: true },
  message: `The lead ${id} was converted in Zoho. It lives on as the contact that came of it, so nothing of it is written and no lead is made anew; look for that contact there.`,
})
