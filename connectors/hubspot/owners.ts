/** The people of the account who may own records, in pages. */
import { AppError } from '../../src/errors.ts'
import type { CrmField } from '../contract.ts'
import type { Owner } from '../owner-list.ts'
import type { HubspotClient } from './client.ts'
import { refusedCall } from './refusals.ts'
import { faultOf, OwnerPage } from './replies.ts'

export const ownersScope = 'crm.objects.owners.read'
/** As `describe` gives it. */
export const ownerType = 'owner'
export const isOwnerField = ({ type }: CrmField): boolean => type === ownerType

const pageMax = 500

/** @returns null where the app may not ask. */
export async function listOwners(client: HubspotClient): Promise<readonly Owner[] | null> {
  const owners: Owner[] = []
  for (let after = ''; ; ) {
    const query = `limit=${pageMax}${after === '' ? '' : `&after=${after}`}`
    const result = await client.call({ method: 'GET', path: `/crm/owners/2026-03?${query}` })
    if (result.kind === 'refused' && result.error.code === 'CRM_UNAUTHORIZED') return null
    if (result.kind === 'refused') throw result.error
    if (result.kind === 'cut') throw unreadable(result.message)
    if (result.status >= 300) throw refusedCall('list the owners', result.status, faultOf(result.body))
    const page = OwnerPage.safeParse(result.body).data
    if (page === undefined) throw unreadable('the list of owners could not be read')
    owners.push(...page.results.map(({ id, email }) => ({ id, names: email === null ? [] : [email] })))
    after = page.paging?.next?.after ?? ''
    if (after === '') return owners
  }
}

const unreadable = (message: string): AppError =>
  new AppError('CRM_UNAVAILABLE', `HubSpot did not tell its owners: ${message}`, { retry: 'later' })
