/**
 * Campaigns, to which written Leads and Contacts are added as members; for a converted Lead, the Contact that it
 * became. The org's campaigns are only listed if a mapping names one. An existing member is refused with
 * DUPLICATE_VALUE and counts as joined. Accounts cannot be members.
 */
import type { EntityType } from '../../src/domain/identity.ts'
import { AppError } from '../../src/errors.ts'
import { CachedAnswer } from '../cached-answer.ts'
import type { CrmField, Refusal } from '../contract.ts'
import { type JoinPort, joinedField } from '../joins.ts'
import { type Owner, withOwners } from '../owner-list.ts'
import { halves, slices } from '../slices.ts'
import { letJoinCampaigns, notInCampaign } from './administrator.ts'
import type { SalesforceClient } from './client.ts'
import { errorCodeOf, isPassing, isTooMany, type RowResult, refusalOf } from './outcomes.ts'
import type { SalesforceSettings } from './settings.ts'

export const campaignField = 'CampaignMember'
const listedMax = 2_000
const rowsMax = 200
const idOfContact = /^003/

export class Campaigns implements JoinPort {
  readonly #client: SalesforceClient
  readonly #settings: SalesforceSettings
  readonly #campaigns: CachedAnswer<readonly Owner[] | null>

  constructor(client: SalesforceClient, settings: SalesforceSettings) {
    this.#client = client
    this.#settings = settings
    this.#campaigns = new CachedAnswer(() => this.#list())
  }

  fieldOf(type: EntityType): string | null {
    return this.#settings.object === 'account' && type !== 'director' ? null : campaignField
  }

  forget(): void {
    this.#campaigns.forget()
  }

  async describe(): Promise<CrmField> {
    const field = joinedField({ name: campaignField, label: 'Campaign' }, this.#settings.list_values)
    return withOwners(field, await this.#campaigns.get())
  }

  async add(field: string, target: string, crmIds: readonly string[]): Promise<ReadonlyMap<string, Refusal | 'later'>> {
    const refused = new Map<string, Refusal | 'later'>()
    const refuse = (id: string, refusal: Refusal) =>
      refused.set(id, { ...refusal, field, message: notInCampaign(target, `${refusal.code}: ${refusal.message}`) })
    for (const some of slices(crmIds, rowsMax)) await this.#addSome(target, some, refused, refuse)
    return refused
  }

  /** Rows that the org's own code refuses because of their number are sent again in halves. */
  async #addSome(
    target: string,
    ids: readonly string[],
    refused: Map<string, Refusal | 'later'>,
    refuse: (id: string, refusal: Refusal) => void,
  ): Promise<void> {
    const results = await this.#create(target, ids)
    const isComplete = results.length === ids.length
    const over = ids.filter((id, n) => {
      const result = isComplete ? results[n] : undefined
      if (result?.success === true) return false
      const refusal = result === undefined ? null : refusalOf(result.errors)
      if (refusal?.code === 'DUPLICATE_VALUE') return false
      if (refusal !== null && isTooMany(refusal) && ids.length > 1) return true
      if (refusal === null || isPassing(refusal)) refused.set(id, 'later')
      else refuse(id, refusal)
      return false
    })
    for (const half of halves(over)) await this.#addSome(target, half, refused, refuse)
  }

  /** If a call is refused as a whole, each of its rows is. */
  async #create(target: string, ids: readonly string[]): Promise<readonly RowResult[]> {
    const rows = ids.map((id) => ({ CampaignId: target, [idOfContact.test(id) ? 'ContactId' : 'LeadId']: id }))
    try {
      return await this.#client.create('CampaignMember', rows)
    } catch (error) {
      const code = errorCodeOf(error)
      if (error instanceof AppError || code === '') throw error
      const message = error instanceof Error ? error.message : code
      return ids.map(() => ({ success: false, errors: [{ statusCode: code, message, fields: [] }] }))
    }
  }

  async missingRights(): Promise<readonly string[]> {
    try {
      const { createable } = await this.#client.describe('CampaignMember')
      return createable ? [] : [letJoinCampaigns]
    } catch (error) {
      const code = errorCodeOf(error instanceof AppError ? error.cause : error)
      if (/^(NOT_FOUND|INVALID_TYPE|INSUFFICIENT_ACCESS)/.test(code)) return [letJoinCampaigns]
      throw error
    }
  }

  /** @returns null if there are too many to list, or the user has no access: then any Id is accepted. */
  async #list(): Promise<readonly Owner[] | null> {
    const found = await this.#client.ask(`SELECT Id, Name FROM Campaign ORDER BY Name LIMIT ${listedMax}`)
    if (found === null || found.length >= listedMax) return null
    return found.map(({ Id: id, Name: name }) => ({ id, names: [String(name), id.slice(0, 15)] }))
  }
}
