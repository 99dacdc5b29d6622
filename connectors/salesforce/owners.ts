/**
 * Whose a record is: a person of the org, or of a Lead a queue. A push asks for those alone whom its leads name, since an org may have
 * thousands; the list of all is for whoever writes a mapping.
 */
import { AskedOnce } from '../asked-once.ts'
import type { CrmField, OutgoingLead } from '../contract.ts'
import { unconfirmedOf } from '../field-ownership.ts'
import { meantBy, type Owner, ownersAmong, ownersNamed, withOwners } from '../owner-list.ts'
import type { SalesforceClient, SalesforceRecord } from './client.ts'
import type { FieldValues } from './fill-fields.ts'
import { listOfLiterals, type SalesforceObject } from './question.ts'

export const ownerField = 'OwnerId'
const idOfOwner = /^(005|00G)[A-Za-z0-9]{12}([A-Za-z0-9]{3})?$/
/** Of one question: with each name three times its address stays under 16 KB. */
const namesMax = 50
const listedMax = 2_000
const who = `SELECT Id, Username, Email FROM User WHERE IsActive = true AND UserType IN ('Standard', 'PowerPartner')`

export class OrgOwners {
  readonly #client: SalesforceClient
  readonly #queues: AskedOnce<readonly Owner[]>
  readonly #asked = new Set<string>()
  #found: Owner[] = []
  #changes = 0

  constructor(client: SalesforceClient) {
    this.#client = client
    this.#queues = new AskedOnce(() => this.#readQueues())
  }

  forget(): void {
    this.#asked.clear()
    this.#found = []
    this.#queues.forget()
  }

  get changes(): number {
    return this.#changes + this.#queues.changes
  }

  /** Asks anew for those who were asked for. */
  async renew(): Promise<void> {
    const ids = () => this.#found.map(({ id }) => id).toSorted()
    const [names, before] = [[...this.#asked], ids().join()]
    this.#asked.clear()
    this.#found = []
    await this.#ask(names)
    if (ids().join() !== before) this.#changes += 1
    await this.#queues.renew()
  }

  /** The field with all who may own a record; with none of them where they are too many, or the user may not ask. */
  async describe(object: SalesforceObject, field: CrmField): Promise<CrmField> {
    if (field.name !== ownerField) return field
    const users = await this.#client.ask(`${who} ORDER BY Username LIMIT ${listedMax}`)
    const isWhole = users !== null && users.length < listedMax
    return withOwners(field, isWhole ? [...users.map(userOf), ...(await this.#listQueues(object))] : null)
  }

  /** Where these leads fill the owner's field, it becomes the one with those whom they name. @param name as `describe` calls it. */
  async narrow(
    fields: Map<string, CrmField>,
    leads: readonly OutgoingLead[],
    object: SalesforceObject,
    name = ownerField,
  ): Promise<void> {
    const field = fields.get(ownerField)
    if (field === undefined) return
    const all = leads.flatMap((lead) => [lead, ...unconfirmedOf(lead)])
    const said = ownersNamed(all, new Set([name])).map((text) => meantBy(field, text))
    await this.#ask(said)
    const queues = said.length === 0 ? [] : await this.#listQueues(object)
    fields.set(ownerField, withOwners(field, [...this.#found, ...queues]))
  }

  async #ask(said: readonly string[]): Promise<void> {
    const names = [...new Set(said)].filter((name) => !this.#asked.has(name))
    for (let start = 0; start < names.length; start += namesMax) {
      const some = names.slice(start, start + namesMax)
      const ids = some.filter((name) => idOfOwner.test(name))
      const isOne = ['Username', 'Email'].map((field) => `${field} IN (${listOfLiterals(some)})`)
      if (ids.length > 0) isOne.push(`Id IN (${listOfLiterals(ids)})`)
      const users = await this.#client.ask(`${who} AND (${isOne.join(' OR ')})`)
      const there = new Set(this.#found.map(({ id }) => id))
      const found = users?.map(userOf) ?? ownersAmong(some, idOfOwner)
      this.#found.push(...found.filter(({ id }) => !there.has(id)))
      for (const name of some) this.#asked.add(name)
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

/** Salesforce takes an Id in its form of 15 characters, too, and tells it in 18. */
const ownerOf = (record: SalesforceRecord, names: readonly string[]): Owner => ({
  id: record.Id,
  names: [record.Id.slice(0, 15), ...names.flatMap((name) => (typeof record[name] === 'string' ? [record[name]] : []))],
})

/** What the signed-in user made and nobody has is free to be given to somebody: the org knows no record without an owner. */
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
