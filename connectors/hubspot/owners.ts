/** The users of the account who may own records, page by page. */
import { readAs } from '../answers.ts'
import { answerIfAllowed } from '../call-result.ts'
import type { CrmField } from '../contract.ts'
import type { Owner } from '../owner-list.ts'
import type { HubspotClient } from './client.ts'
import { refusedCall } from './refusals.ts'
import { faultOf, OwnerPage } from './replies.ts'

/** The type that `describe` uses. */
export const ownerType = 'owner'
export const isOwnerField = ({ type }: CrmField): boolean => type === ownerType

const pageMax = 500

/** @returns null if the app has no access. */
export async function listOwners(client: HubspotClient): Promise<readonly Owner[] | null> {
  const owners: Owner[] = []
  for (let after = ''; ; ) {
    const query = `limit=${pageMax}${after === '' ? '' : `&after=${after}`}`
    const result = await client.call({ method: 'GET', path: `/crm/owners/2026-03?${query}` })
    const answer = answerIfAllowed(result, 'HubSpot (its owners)')
    if (answer === null) return null
    if (answer.status >= 300) throw refusedCall('list the owners', answer.status, faultOf(answer.body))
    const page = readAs(OwnerPage, answer.body, "HubSpot's list of owners")
    owners.push(...page.results.map(({ id, email }) => ({ id, names: email === null ? [] : [email] })))
    after = page.paging?.next?.after ?? ''
    if (after === '') return owners
  }
}
