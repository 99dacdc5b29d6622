/** The org's state: Leads, fields, tokens, the day's credits. It is all plain data except the index of records. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { ConsentDesk } from '../consent.ts'
import type { FieldChange } from '../contract.ts'
import { RecordTable } from '../records.ts'
import { optionsOf, type SandboxField, standardFields } from './standard-fields.ts'

export type Value = string | number | boolean | null
export type Values = Record<string, Value>

export interface OrgRecord {
  readonly id: string
  readonly object: string
  readonly values: Values
}

/** In the form of a refused row. */
export interface Fullness {
  readonly code: string
  readonly message: string
}

/** A validation rule that refuses records with this value; Zoho only applies it if the caller asks for it. */
export interface ValidationRule {
  readonly field: string
  readonly refuses: string
  readonly message: string
}

/** Credentials of the org's client, random for each sandbox. */
export interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
  readonly refreshToken: string
}

export function newCredentials(): Credentials {
  const random = () => randomBytes(18).toString('hex')
  return { clientId: `1000.${random()}`, clientSecret: random(), refreshToken: `1000.${random()}.${random()}` }
}

const State = z.object({
  credentials: z.object({ clientId: z.string(), clientSecret: z.string(), refreshToken: z.string() }),
  records: z.array(
    z.object({
      id: z.string(),
      object: z.string(),
      values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    }),
  ),
  fields: z.array(z.custom<SandboxField>((value) => typeof value === 'object')),
  lastNumber: z.number(),
  creditsUsed: z.number(),
  tagged: z.record(z.string(), z.array(z.string()).readonly()).default({}),
})

/** The type of a picklist of which a record can have several values. */
export const manyValues = 'multiselectpicklist'

const idBase = 4_150_868_000_000_000n

export class Org {
  readonly organizationId: string
  /** Unique values are compared ignoring case. */
  readonly #records = new RecordTable<OrgRecord>((record, field) => keyOf(record.values[field]))
  #tokens = new Map<string, number>()
  /** Converted leads by id, as of their conversion. */
  readonly converted = new Map<string, OrgRecord>()
  #lastNumber = 0
  credentials: Credentials = newCredentials()
  readonly consent = new ConsentDesk()
  creditsUsed = 0
  /** Scopes that the client lacks. */
  withheldScopes: readonly string[] = []
  /** False if this user's organisation or profile does not have the module. */
  hasLeads = true
  /** Credits per 24 hours. */
  dailyCredits = 100_000
  /** Custom fields that the edition allows. */
  customFieldsMax = 300
  /** Why no record can be created. */
  full: Fullness | null = null
  /** What users may do with records that others own. */
  sharing: 'Edit' | 'Read' | 'None' = 'Edit'
  /** Ids of records in an approval process or locked by a user. */
  readonly locked = new Set<string>()
  /** The module's API name. */
  moduleName = 'Leads'
  /** Ids of the records with each tag, by its id. */
  tagged: Record<string, readonly string[]> = {}
  validationRules: readonly ValidationRule[] = []
  /** True if picklists only accept their own values. */
  restrictsLists = false

  #fields: readonly SandboxField[] = standardFields
  readonly #hidden = new Set<string>()

  constructor(organizationId: string) {
    this.organizationId = organizationId
  }

  /** The fields that this user sees. */
  get fields(): readonly SandboxField[] {
    return this.#fields.filter(({ api_name: name }) => !this.#hidden.has(name))
  }

  get everyField(): readonly SandboxField[] {
    return this.#fields
  }

  addField(field: SandboxField): void {
    this.#fields = [...this.#fields, field]
  }

  /** With all its values. */
  dropField(name: string): void {
    this.#fields = this.#fields.filter((field) => field.api_name !== name || !field.custom_field)
    for (const { id, object, values } of this.#records.all()) {
      const { [name]: _dropped, ...kept } = values
      this.#records.put({ id, object, values: kept })
    }
  }

  /** Renaming keeps the values. */
  changeField(
    name: string,
    {
      name: renamed = name,
      label,
      type,
      required,
      writable,
      encrypted,
      values,
      shownAs,
      unusedValues = [],
      visible,
      ...more
    }: FieldChange,
  ): void {
    const changed: Partial<SandboxField> = {
      ...more,
      ...(label !== undefined && { field_label: label }),
      ...(type !== undefined && { data_type: type }),
      ...(required !== undefined && { system_mandatory: required }),
      ...(writable !== undefined && { read_only: !writable }),
      ...(encrypted !== undefined && { crypt: encrypted ? { mode: 'decryption', status: 1 } : null }),
      ...(values && {
        data_type: type ?? 'picklist',
        pick_list_values: [...optionsOf(values, 'used', shownAs), ...optionsOf(unusedValues, 'unused')],
      }),
    }
    this.#fields = this.#fields.map((field) =>
      field.api_name === name ? { ...field, ...changed, api_name: renamed } : field,
    )
    if (visible === false) this.#hidden.add(renamed)
    else if (visible === true) this.#hidden.delete(renamed)
    if (renamed === name) return
    for (const { id, object, values: held } of this.#records.all()) {
      const { [name]: moved, ...others } = held
      if (moved !== undefined) this.#records.put({ id, object, values: { ...others, [renamed]: moved } })
    }
  }

  makeUnique(name: string): void {
    this.#fields = this.#fields.map((field) =>
      field.api_name === name ? { ...field, unique: { casesensitive: 'false' } } : field,
    )
  }

  records(): readonly OrgRecord[] {
    return this.#records.all()
  }

  get(id: string): OrgRecord | undefined {
    return this.#records.get(id)
  }

  find(field: string, value: unknown): readonly OrgRecord[] {
    const key = keyOf(value)
    return key === undefined ? [] : this.#records.find('Leads', field, key)
  }

  /** Creates the record, or merges the values into it; null clears a field. */
  save(id: string | null, values: Values): OrgRecord {
    const saved = id ?? this.newId()
    return this.#records.put({ id: saved, object: 'Leads', values: { ...this.#records.get(saved)?.values, ...values } })
  }

  /** @returns the lead that left the module; undefined if there is none. */
  convert(id: string): OrgRecord | undefined {
    const record = this.get(id)
    if (record === undefined) return undefined
    this.#records.delete(id)
    this.converted.set(id, record)
    return record
  }

  delete(id: string): boolean {
    return this.#records.delete(id)
  }

  /** The loser is deleted without a trace; its values fill the winner's empty fields. */
  merge(loser: string, winner: string): string {
    const [lost, kept] = [this.get(loser), this.get(winner)]
    if (lost === undefined || kept === undefined) throw new Error('the org holds no such records')
    this.delete(loser)
    const held = Object.entries(kept.values).filter(([, value]) => value !== null)
    return this.save(winner, { ...lost.values, ...Object.fromEntries(held) }).id
  }

  newId(): string {
    this.#lastNumber += 1
    return String(idBase + BigInt(this.#lastNumber))
  }

  /** @returns null if ten were issued within ten minutes. */
  issueToken(now: number): string | null {
    const fresh = [...this.#tokens.values()].filter((at) => at > now - 600_000)
    if (fresh.length >= 10) return null
    const token = `1000.${randomBytes(16).toString('hex')}.${randomBytes(16).toString('hex')}`
    this.#tokens.set(token, now)
    return token
  }

  knowsToken(token: string): boolean {
    return this.#tokens.has(token)
  }

  expireTokens(): void {
    this.#tokens = new Map()
  }

  /** Keeps the credentials and the tokens. */
  clear(): void {
    this.#records.clear()
    this.converted.clear()
    this.#fields = standardFields
    this.creditsUsed = 0
    this.withheldScopes = []
    this.full = null
    this.hasLeads = true
    this.moduleName = 'Leads'
    this.locked.clear()
    this.#hidden.clear()
    this.sharing = 'Edit'
    this.tagged = {}
  }

  snapshot(): unknown {
    return {
      credentials: this.credentials,
      records: this.#records.all(),
      fields: [...this.#fields],
      lastNumber: this.#lastNumber,
      creditsUsed: this.creditsUsed,
      tagged: this.tagged,
    } satisfies z.infer<typeof State>
  }

  restore(state: unknown): void {
    const saved = State.parse(state)
    this.clear()
    this.credentials = saved.credentials
    this.#fields = saved.fields
    for (const record of saved.records) this.#records.put(record)
    this.#lastNumber = saved.lastNumber
    this.creditsUsed = saved.creditsUsed
    this.tagged = saved.tagged
  }
}

/** A field's value as replies show it, except of an owner: of a picklist by the names that users see, several as a list. */
export function shownValue({ everyField }: Org, { values }: OrgRecord, name: string): Value | readonly string[] {
  const value = values[name] ?? null
  const field = everyField.find((each) => each.api_name === name)
  if (field === undefined || typeof value !== 'string') return value
  const shown = (stored: string) =>
    field.pick_list_values.find((option) => option.actual_value === stored)?.display_value ?? stored
  if (field.data_type === manyValues) return value.split(';').map(shown)
  return field.data_type === 'picklist' ? shown(value) : value
}

function keyOf(value: unknown): string | undefined {
  return value === null || value === undefined || value === '' ? undefined : String(value).toLowerCase()
}
