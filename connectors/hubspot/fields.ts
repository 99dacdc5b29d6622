/**
 * The properties of an account that leads may fill, and the possible owners: read once, and again after they may have
 * changed.
 */

import { AppError } from '../../src/errors.ts'
import { CachedAnswer } from '../cached-answer.ts'
import type { FieldsOfCrm } from '../changed-fields.ts'
import type { CrmField, OutgoingLead } from '../contract.ts'
import { withListValues } from '../listed-value.ts'
import { type Owner, ownersAmong, ownersNamed, withOwners } from '../owner-list.ts'
import { restoreIdentity } from './administrator.ts'
import type { HubspotClient } from './client.ts'
import {
  type CrmObject,
  crmObjects,
  idProperty,
  type Lists,
  objectOf,
  objectOfExternalId,
  takesItsColumn,
} from './mapping.ts'
import { isOwnerField, listOwners } from './owners.ts'
import type { HubspotSettings } from './settings.ts'
import { describeFields, faultOfIdentity, type PropertyField } from './setup.ts'

export class HubspotFields {
  readonly #fields: Readonly<Record<CrmObject, CachedAnswer<readonly PropertyField[]>>>
  readonly #owners: CachedAnswer<readonly Owner[] | null>

  constructor(client: HubspotClient, settings: HubspotSettings) {
    const readFields = (object: CrmObject) =>
      new CachedAnswer(async () => {
        const fields = await describeFields(client, object)
        const listed = withListValues(fields, settings.list_values)
        return fields.map((field, n) => ({ ...field, ...listed[n] }))
      })
    this.#fields = { companies: readFields('companies'), contacts: readFields('contacts') }
    this.#owners = new CachedAnswer(() => listOwners(client))
  }

  async describe(): Promise<readonly CrmField[]> {
    this.#forgetFields()
    // Fields first, so that an app without access to them gets that error.
    const listed = await this.#readFields(crmObjects)
    const owners = await this.#owners.get()
    const writable = listed.flatMap(({ isReadOnly, ...field }) => (isReadOnly ? [] : [field]))
    return writable.map((field) => (isOwnerField(field) ? withOwners(field, owners) : field))
  }

  /** The external ids whose object has a usable external-id property, or none at all. */
  async askable<Each extends { readonly externalId: string }>(sought: readonly Each[]): Promise<readonly Each[]> {
    const faulty = new Set<CrmObject>()
    for (const object of crmObjects) {
      if (!sought.some(({ externalId }) => objectOfExternalId(externalId) === object)) continue
      if ((await this.#faultOfIdentity(object)) !== null) faulty.add(object)
    }
    return sought.filter(({ externalId }) => !faulty.has(objectOfExternalId(externalId)))
  }

  async #faultOfIdentity(object: CrmObject): Promise<string | null> {
    const field = (await this.#fields[object].get()).find(({ name }) => name === `${object}.${idProperty}`)
    return field === undefined ? null : faultOfIdentity(field)
  }

  /** @throws AppError if the external-id property was changed so that no lead could be found by it again. */
  async requireIdentity(leads: readonly OutgoingLead[]): Promise<void> {
    for (const object of objectsOf(leads)) {
      const fault = await this.#faultOfIdentity(object)
      if (fault !== null) throw new AppError('DESTINATION_INVALID', restoreIdentity(object, fault))
    }
  }

  /** What the restricted fields of these leads accept, and which fields accept nothing of them. */
  async listsFor(leads: readonly OutgoingLead[]): Promise<Lists> {
    if (leads.length === 0) return new Map()
    const fields = await this.#readFields(objectsOf(leads))
    const named = ownersNamed(leads, new Set(fields.filter(isOwnerField).map(({ name }) => name)))
    const owners = named.length === 0 ? null : ((await this.#owners.get()) ?? ownersAmong(named))
    const narrowed = fields.map((field) => {
      const isUnfit = field.isReadOnly || !takesItsColumn(field)
      return { ...(isOwnerField(field) ? withOwners(field, owners) : field), isUnfit }
    })
    return new Map(
      narrowed.flatMap((field) => (field.allowed === null && !field.isUnfit ? [] : [[field.name, field] as const])),
    )
  }

  get answers(): FieldsOfCrm['answers'] {
    return [this.#owners, ...crmObjects.map((object) => this.#fields[object])]
  }

  forget(): void {
    this.#forgetFields()
    this.#owners.forget()
  }

  #forgetFields(): void {
    for (const object of crmObjects) this.#fields[object].forget()
  }

  async #readFields(objects: readonly CrmObject[]): Promise<readonly PropertyField[]> {
    const fields: PropertyField[] = []
    for (const object of objects) fields.push(...(await this.#fields[object].get()))
    return fields
  }
}

const objectsOf = (leads: readonly OutgoingLead[]): CrmObject[] =>
  crmObjects.filter((object) => leads.some(({ type }) => objectOf(type) === object))
