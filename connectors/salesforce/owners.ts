/**
 * The owner of a record: a user of the org or, for a Lead, a queue. A push only looks up the owners that its leads
 * name, since an org may have thousands of users; the full list is for editing a mapping.
 */
import { CachedAnswer } from '../cached-answer.ts'
import type { CrmField, OutgoingLead } from '../contract.ts'
import { unconfirmedOf } from '../field-ownership.ts'
import { meantBy, type Owner, ownersAmong, ownersNamed, withOwners } from '../owner-list.ts'
import type { SalesforceClient, SalesforceRecord } from './client.ts'
import type { FieldValues } from './fill-fields.ts'
import { listOfLiterals, type SalesforceObject } from './question.ts'

export const ownerField = 'OwnerId'
const idOfOwner = /^(005|00G)[A-Za-z0-9]{12}([A-Za-z0-9]{3})?$/
/** Per query: with each name three times, its URL stays under 16 KB. */
const namesMax = 50
const listedMax = 2_000
const who = `SELECT Id, Username, Email FROM User WHERE IsActive = true AND UserType IN ('Standard', 'PowerPartner')`

export class OrgOwners {
  readonly #client: SalesforceClient
  readonly #queues: CachedAnswer<readonly Owner[]>
  readonly #lookedUp = new Set<string>()
  #found: Owner[] = []
  #changes = 0

  constructor(client: SalesforceClient) {
    this.#client = client
    this.#queues = new CachedAnswer(() => this.#readQueues())
  }

  forget(): void {
    this.#lookedUp.clear()
    this.#found = []
    this.#queues.forget()
  }

  get changes(): number {
    return this.#changes + this.#queues.changes
  }

  /** Looks up the requested owners again. */
  async renew(): Promise<void> {
    const ids = () => this.#found.map(({ id }) => id).toSorted()
    const [names, before] = [[...this.#lookedUp], ids().join()]
    this.#lookedUp.clear()
    this.#found = []
    await this.#ask(names)
    if (ids().join() !== before) this.#changes += 1
    await this.#queues.renew()
  }

  /** The field with all possible owners; with none of them if there are too many, or the user has no access. */
  async describe(object: SalesforceObject, field: CrmField): Promise<CrmField> {
    if (field.name !== ownerField) return field
    const users = await this.#client.ask(`${who} ORDER BY Username LIMIT ${listedMax}`)
    const isWhole = users !== null && users.length < listedMax
    return withOwners(field, isWhole ? [...users.map(userOf), ...(await this.#listQueues(object))] : null)
  }

  /** If these leads fill the owner field, limits it to the owners that they name. @param name as in `describe`. */
  async narrow(
    fields: Map<string, CrmField>,
    leads: readonly OutgoingLead[],
    object: SalesforceObject,
    name = ownerField,
  ): Promise<void> {
    const field = fields.get(ownerField)
    if (field === undefined) return
    const all = leads.flatMap((lead) => [lead, ...unconfirmedOf(lead)])
    const wanted = ownersNamed(all, new Set([name])).map((text) => meantBy(field, text))
    await this.#ask(wanted)
    const queues = wanted.length === 0 ? [] : await this.#listQueues(object)
    fields.set(ownerField, withOwners(field, [...this.#found, ...queues]))
  }

  async #ask(wanted: readonly string[]): Promise<void> {
    const names = [...new Set(wanted)].filter((name) => !this.#lookedUp.has(name))
    for (let start = 0; start < names.length; start += namesMax) {
      const some = names.slice(start, start + namesMax)
      const ids = some.filter((name) => idOfOwner.test(name))
      const isOne = ['Username', 'Email'].map((field) => `${field} IN (${listOfLiterals(some)})`)
      if (ids.length > 0) isOne.push(`Id IN (${listOfLiterals(ids)})`)
      const users = await this.#client.ask(`${who} AND (${isOne.join(' OR ')})`)
      const there = new Set(this.#found.map(({ id }) => id))
      const found = users?.map(userOf) ?? ownersAmong(some, idOfOwner)
      this.#found.push(...found.filter(({ id }) => !there.has(id)))
      for (const name of some) this.#lookedUp.add(name)
    }
  }

  async #listQueues(object: SalesforceObject): Promise<readonly Owner[]> {
    return object === 'Lead' ? this.#queues.get() : []
  }

  async #readQueues(): Promise<readonly Owner[]> {
    const ofLeads = await this.#client.ask(`SELECT Id, QueueId FROM QueueSobject WHERE SobjectType = 'Lead'`)
    const ids = new Set(ofLeads?.map(({ QueueId: id }) => String(id)))
    if (ids.size === 0) return []
    const queues = await this.#client.ask(`SELECT Id, Name, DeveloperName FROM Group WHERE Type = 'Queue'`)
    return (queues ?? []).filter(({ Id }) => ids.has(Id)).map((queue) => ownerOf(queue, ['Name', 'DeveloperName']))
  }
}

const userOf = (user: SalesforceRecord): Owner => ownerOf(user, ['Username', 'Email'])

/** Salesforce also accepts the 15-character form of an Id, but returns 18 characters. */
const ownerOf = (record: SalesforceRecord, names: readonly string[]): Owner => ({
  id: record.Id,
  names: [record.Id.slice(0, 15), ...names.flatMap((name) => (typeof record[name] === 'string' ? [record[name]] : []))],
})

/**
 * A record that Panji's user created and still owns may be assigned, since Salesforce has no records without an
 * owner.
 */
export function asUnowned(
  record: SalesforceRecord | undefined,
  userId: string | undefined,
  target: FieldValues,
): SalesforceRecord | undefined {
  const owner = record?.[ownerField]
  if (record === undefined || typeof owner !== 'string' || userId === undefined) return record
  const isOwn = owner.slice(0, 15) === userId.slice(0, 15)
  return isOwn && target[ownerField] !== owner ? { ...record, [ownerField]: null } : record
}
