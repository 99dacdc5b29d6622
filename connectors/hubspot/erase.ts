/**
 * Erasure: contacts are deleted permanently, which HubSpot offers for persons, one call each. A company, or a contact
 * whose permanent deletion HubSpot refuses, goes into the recycle bin, and the reason is reported. A second run finds
 * nothing.
 */
import { AppError } from '../../src/errors.ts'
import type { ReportRestorable } from '../contract.ts'
import type { FoundRecord } from '../push-port.ts'
import { slices } from '../slices.ts'
import type { HubspotClient } from './client.ts'
import { crmObjects, objectOfExternalId } from './mapping.ts'
import { refusalOf, refusedCall } from './refusals.ts'
import { faultOf } from './replies.ts'

const archivedAtOnceMax = 100
const companyStays = 'HubSpot deletes only contacts for good; an administrator can restore a company for 90 days'

export async function eraseRecords(
  client: HubspotClient,
  found: ReadonlyMap<string, FoundRecord>,
  reportRestorable: ReportRestorable,
): Promise<void> {
  for (const object of crmObjects) {
    const records = [...found].filter(([externalId]) => objectOfExternalId(externalId) === object)
    const left: [externalId: string, crmId: string, why: string][] = []
    for (const [externalId, { crmId }] of records) {
      const why = object === 'companies' ? companyStays : await deleteForGood(client, crmId)
      if (why !== null) left.push([externalId, crmId, why])
    }
    for (const batch of slices(left, archivedAtOnceMax)) {
      const { status, body } = await client.ask({
        method: 'POST',
        path: `/crm/objects/2026-03/${object}/batch/archive`,
        body: { inputs: batch.map(([, id]) => ({ id })) },
      })
      if (status >= 300) throw refusedCall(`delete ${object}`, status, faultOf(body))
      for (const [externalId, , why] of batch) reportRestorable(externalId, why)
    }
  }
}

/** @returns why HubSpot refused; null if the contact is gone. @throws if it did not answer, or has to be waited for. */
async function deleteForGood(client: HubspotClient, crmId: string): Promise<string | null> {
  const result = await client.call({
    method: 'POST',
    // Documented only under this path.
    path: '/crm/v3/objects/contacts/gdpr-delete',
    body: { objectId: crmId },
  })
  if (result.kind === 'answer') {
    if (result.status < 300) return null
    return `HubSpot refused to delete it for good (${result.status}): ${refusalOf(faultOf(result.body)).message}`
  }
  if (result.kind === 'cut') {
    throw new AppError('CRM_UNAVAILABLE', `HubSpot did not answer the deletion: ${result.message}`, { retry: 'later' })
  }
  // Without the permission for permanent deletion, archiving may still be allowed.
  if (result.error.code !== 'CRM_UNAUTHORIZED') throw result.error
  return `HubSpot refused to delete it for good: ${result.error.message}`
}
