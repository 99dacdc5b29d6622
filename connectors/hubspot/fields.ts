/** The properties of an account that leads may fill, and who may own a record: asked once, until somebody may have changed them. */
import { AskedOnce } from '../asked-once.ts'
import type { CrmField, OutgoingLead } from '../contract.ts'
import { withListValues } from '../listed-value.ts'
import { type Owner, ownersAmong, ownersNamed, withOwners } from '../owner-list.ts'
import type { HubspotClient } from './client.ts'
import { type CrmObject, crmObjects, type Lists, objectOf } from './mapping.ts'
import { isOwnerField, listOwners } from './owners.ts'
import type { HubspotSettings } from './settings.ts'
import { describeFields } from './setup.ts'

export class HubspotFields {
  readonly #fields: Readonly<Record<CrmObject, AskedOnce<readonly CrmField[]>>>
  readonly #owners: AskedOnce<readonly Owner[] | null>

  constructor(client: HubspotClient, settings: HubspotSettings) {
    const readFields = (object: CrmObject) =>
      new AskedOnce(async () => withListValues(await describeFields(client, object), settings.list_values))
    this.#fields = { companies: readFields('companies'), contacts: readFields('contacts') }
    this.#owners = new AskedOnce(() => listOwners(client))
  }

  async describe(): Promise<readonly CrmField[]> {
    this.#forgetFields()
    // The fields first: whoever may not even ask for these is told why.
    const listed = await this.#readFields(crmObjects)
    const owners = await this.#owners.get()
    return listed.map((field) => (isOwnerField(field) ? withOwners(field, owners) : field))
  }

  /** What the restricted fields of these leads take. */
  async listsFor(leads: readonly OutgoingLead[]): Promise<Lists> {
    if (leads.length === 0) return new Map()
    const objects = new Set(leads.map(({ type }) => objectOf(type)))
    const fields = await this.#readFields(crmObjects.filter((object) => objects.has(object)))
    const named = ownersNamed(leads, new Set(fields.filter(isOwnerField).map(({ name }) => name)))
    const owners = named.length === 0 ? null : ((await this.#owners.get()) ?? ownersAmong(named))
    const listed = fields.map((field) => (isOwnerField(field) ? withOwners(field, owners) : field))
    return new Map(listed.flatMap((field) => (field.allowed === null ? [] : [[field.name, field] as const])))
  }

  forget(): void {
    this.#forgetFields()
    this.#owners.forget()
  }

  #forgetFields(): void {
    for (const object of crmObjects) this.#fields[object].forget()
  }

  async #readFields(objects: readonly CrmObject[]): Promise<readonly CrmField[]> {
    const fields: CrmField[] = []
    for (const object of objects) fields.push(...(await this.#fields[object].get()))
    return fields
  }
}
