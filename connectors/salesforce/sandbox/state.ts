/** The state of a sandbox org: records, fields, tokens and the day's calls. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { RecordTable } from '../../sandbox-records.ts'
import { type SandboxField, standardFields } from './fields.ts'

export type Values = Record<string, string | number | boolean | null>

export interface OrgRecord {
  readonly id: string
  readonly object: string
  readonly values: Values
}

const State = z.object({
  records: z.array(
    z.object({
      id: z.string(),
      object: z.string(),
      values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    }),
  ),
  customFields: z.record(z.string(), z.array(z.custom<SandboxField>((value) => typeof value === 'object'))),
  lastNumber: z.number(),
  callsToday: z.number(),
})

const prefixes: Readonly<Record<string, string>> = { Lead: '00Q', Contact: '003', CustomField: '00N' }

export class Org {
  readonly #records = new RecordTable<OrgRecord>((record, field) => (field === 'Id' ? record.id : record.values[field]))
  readonly #customFields = new Map<string, SandboxField[]>()
  readonly #tokens = new Set<string>()
  readonly #picklists: Readonly<Record<string, readonly string[]>>
  #lastNumber = 0
  callsToday = 0

  /** @param picklists values by `Object.Field` of restricted picklists. */
  constructor(picklists: Readonly<Record<string, readonly string[]>> = {}) {
    this.#picklists = picklists
  }

  records(): OrgRecord[] {
    return this.#records.all()
  }

  fields(object: string): SandboxField[] | null {
    const standard = standardFields[object]
    if (!standard) return null
    return [...standard, ...(this.#customFields.get(object) ?? [])].map((field) => {
      const allowed = this.#picklists[`${object}.${field.name}`]
      return allowed === undefined ? field : { ...field, type: 'picklist', allowed }
    })
  }

  addField(object: string, field: SandboxField): void {
    this.#customFields.set(object, [...(this.#customFields.get(object) ?? []), field])
  }

  find(object: string, field: string, value: unknown): OrgRecord[] {
    return this.#records.find(object, field, value)
  }

  /** Creates the record, or lays the values over what is there; a null clears. */
  save(object: string, id: string | null, values: Values): OrgRecord {
    const saved = id ?? this.newId(object)
    return this.#records.put({ id: saved, object, values: { ...this.#records.get(saved)?.values, ...values } })
  }

  get(id: string): OrgRecord | undefined {
    return this.#records.get(id)
  }

  delete(id: string): boolean {
    return this.#records.delete(id)
  }

  /** 18 characters: the object's prefix, a number, and a suffix that stands for the checksum. */
  newId(object: string): string {
    this.#lastNumber += 1
    return `${prefixes[object] ?? '000'}${this.#lastNumber.toString(36).toUpperCase().padStart(12, '0')}AAA`
  }

  issueToken(): string {
    const token = `00D000000000001!${randomBytes(24).toString('base64url')}`
    this.#tokens.add(token)
    return token
  }

  knowsToken(token: string): boolean {
    return this.#tokens.has(token)
  }

  expireTokens(): void {
    this.#tokens.clear()
  }

  clear(): void {
    this.#records.clear()
    this.#customFields.clear()
    this.#tokens.clear()
    this.callsToday = 0
  }

  snapshot(): unknown {
    return {
      records: this.records(),
      customFields: Object.fromEntries(this.#customFields),
      lastNumber: this.#lastNumber,
      callsToday: this.callsToday,
    } satisfies z.infer<typeof State>
  }

  restore(state: unknown): void {
    const { records, customFields, lastNumber, callsToday } = State.parse(state)
    this.clear()
    for (const record of records) this.#records.put(record)
    for (const [object, fields] of Object.entries(customFields)) this.#customFields.set(object, fields)
    this.#lastNumber = lastNumber
    this.callsToday = callsToday
  }
}
