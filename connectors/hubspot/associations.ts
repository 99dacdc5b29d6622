/**
 * Associates directors and companies: a contact with the companies of its row, a company with its directors, if the
 * account has both. Whichever of the two is written later creates the association, so their order does not matter. A
 * lead is linked when it is new to the ledger or its links have changed; associating twice leaves one association.
 */

import { externalIdOf } from '../../src/domain/identity.ts'
import { AppError } from '../../src/errors.ts'
import type { OutgoingLead } from '../contract.ts'
import { slices } from '../slices.ts'
import type { HubspotClient } from './client.ts'
import { findRecords } from './lookup.ts'
import { desiredValues } from './mapping.ts'

/** A lead whose record exists in the account. */
export interface LinkedLead {
  readonly lead: OutgoingLead
  readonly crmId: string
}

const batchSize = 100

/** The external ids on the other side. */
function linksOf({ type, row }: Pick<OutgoingLead, 'type' | 'row'>): readonly string[] {
  const other = type === 'director' ? 'company' : 'director'
  const cell = type === 'director' ? row['CompanyCINs'] : type === 'company' ? row['DirectorDINs'] : null
  const identifiers = String(cell ?? '')
    .split(';')
    .map((text) => text.trim())
  return [...new Set(identifiers)].filter((text) => text !== '').map((text) => externalIdOf(other, text))
}

export function needsLinks(lead: OutgoingLead): boolean {
  if (linksOf(lead).length === 0) return false
  const property = lead.type === 'director' ? 'panji_company_cins' : 'panji_director_dins'
  return lead.lastPushed?.[property] !== desiredValues(lead).get(property)
}

/**
 * @param known CRM ids that the push has found, by external id.
 * @returns null, or why associations may be missing. A permanent refusal also returns null, since the records
 * themselves are written.
 */
export async function associate(
  client: HubspotClient,
  leads: readonly LinkedLead[],
  known: ReadonlyMap<string, string>,
): Promise<string | null> {
  try {
    const missing = [...new Set(leads.flatMap(({ lead }) => linksOf(lead)))].filter((id) => !known.has(id))
    const found = missing.length === 0 ? new Map() : await findRecords(client, missing, 'nothing')
    const crmIdOf = (id: string) => known.get(id) ?? found.get(id)?.crmId
    const pairs = new Map<string, { readonly from: { id: string }; readonly to: { id: string } }>()
    for (const { lead, crmId } of leads) {
      for (const link of linksOf(lead)) {
        const other = crmIdOf(link)
        if (other === undefined) continue
        const [contact, company] = lead.type === 'director' ? [crmId, other] : [other, crmId]
        pairs.set(`${contact} ${company}`, { from: { id: contact }, to: { id: company } })
      }
    }
    return await send(client, [...pairs.values()])
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

async function send(client: HubspotClient, inputs: readonly unknown[]): Promise<string | null> {
  for (const some of slices(inputs, batchSize)) {
    const result = await client.call({
      method: 'POST',
      path: '/crm/associations/2026-03/contacts/companies/batch/associate/default',
      body: { inputs: some },
    })
    if (result.kind === 'cut') return result.message
    if (result.kind === 'refused') return result.error.message
  }
  return null
}
