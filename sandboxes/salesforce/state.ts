/** The state of a sandbox org: records, fields, tokens and the day's calls. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { FieldChange } from '../contract.ts'
import { RecordTable } from '../records.ts'
import type { Deployment } from './deployment.ts'
import { type AddressLists, codeFields, keyPrefixes, type SandboxField, standardFields } from './fields.ts'
import type { IngestJob } from './ingest-job.ts'
import { userId } from './people.ts'

export type Values = Record<string, string | number | boolean | null>

/** A rule that looks for records with the same values, and warns or blocks. */
export interface DuplicateRule {
  readonly object: string
  readonly fields: readonly string[]
  /** True if the caller may save all the same. */
  readonly allowSave: boolean
}

/** A validation rule that refuses rows with this value. */
export interface ValidationRule {
  readonly object: string
  readonly field: string
  readonly refuses: string
  readonly message: string
}

/** In the form of a refused row. */
export interface Fullness {
  readonly statusCode: string
  readonly message: string
}

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
  members: z.record(z.string(), z.record(z.string(), z.string())).default({}),
})

const prefixes: Readonly<Record<string, string>> = {
  ...keyPrefixes,
  CustomField: '00N',
  Job: '750',
  Cursor: '01g',
  CampaignMember: '00v',
  Deploy: '0Af',
}
/** When there are more, the oldest are dropped. */
const cursorsMax = 20
const binMax = 10_000
const jobsMax = 100
const deploymentsMax = 20

/** Prefix of index fields with case-folded text. */
const folded = '~'

function foldedOf(value: Values[string] | undefined): string | undefined {
  return value === null || value === undefined || value === '' ? undefined : String(value).toLowerCase()
}

/** A field's value as queries show it. */
export function heldBy({ id, object, values }: OrgRecord, field: string): Values[string] {
  if (field === 'Id') return id
  if (field === 'OwnerId') return values['OwnerId'] ?? userId
  if (field === 'Name' && (object === 'Lead' || object === 'Contact'))
    return [values['FirstName'], values['LastName']].filter(Boolean).join(' ')
  return values[field] ?? (field === 'IsConverted' || field === 'IsDeleted' ? false : null)
}

export class Org {
  readonly orgId: string
  readonly #records = new RecordTable<OrgRecord>((record, field) =>
    field.startsWith(folded)
      ? foldedOf(record.values[field.slice(1)])
      : field === 'Id'
        ? record.id
        : record.values[field],
  )
  readonly #customFields = new Map<string, SandboxField[]>()
  readonly #tokens = new Set<string>()
  readonly #picklists: Readonly<Record<string, readonly string[]>>
  readonly #readOnly: ReadonlySet<string>
  readonly #locked = new Set<string>()
  /** Ids of records in an approval process. */
  readonly inApproval = new Set<string>()
  /** An administrator's changes, by field. */
  readonly #changes = new Map<string, Partial<SandboxField>>()
  #lastNumber = 0
  callsToday = 0
  duplicateRules: readonly DuplicateRule[] = []
  validationRules: readonly ValidationRule[] = []
  /** True if new fields are invisible until a permission set grants them. */
  hidesNewFields = false
  /** Why no record can be created: storage or licences are used up. */
  full: Fullness | null = null
  /** Most rows per write that the org's triggers can handle; they query the database once per row. */
  triggerRowsMax = Number.POSITIVE_INFINITY
  /** The message with which bulk jobs fail before their first row. */
  jobFault: string | null = null
  /** Deleted records, with what they were merged into; only some queries see them. */
  readonly bin = new Map<string, OrgRecord>()
  /** Bulk jobs by id. */
  readonly jobs = new Map<string, IngestJob>()
  readonly deployments = new Map<string, Deployment>()
  /**
   * By name: the fields that a permission set makes writable, and the objects whose records of all owners it makes
   * editable.
   */
  readonly permissionSets = new Map<
    string,
    { readonly fields: readonly string[]; readonly modifyAll: readonly string[] }
  >()
  /** Assigned to the signed-in user. */
  readonly assignedSets = new Set<string>()
  /** State and country picklists; null: any text. */
  addressLists: AddressLists | null = null
  /** Values that the user's record type offers, by `Object.Field`. */
  recordTypeLists: Readonly<Record<string, readonly string[]>> = {}
  /** What users may do with records that others own. */
  sharing: 'Edit' | 'Read' | 'None' = 'Edit'
  /** Member records, by the Ids of campaign and member. */
  members: Record<string, Readonly<Record<string, string>>> = {}
  /** Whether the user may create campaign members. */
  mayJoin = true
  /** Calls per day. */
  dailyLimit = 100_000
  /** Records per page of a query: an org may return fewer than two thousand if they are large. */
  queryPageRows = 2_000
  /** Records of queries with further pages, by locator. */
  readonly cursors = new Map<string, readonly unknown[]>()

  /**
   * @param picklists values by `Object.Field` of restricted picklists. @param locked `Object.Field` that the user can
   * only read.
   */
  constructor(orgId: string, picklists: Readonly<Record<string, readonly string[]>>, locked: readonly string[]) {
    this.orgId = orgId
    this.#picklists = picklists
    this.#readOnly = new Set(locked)
  }

  records(): OrgRecord[] {
    return this.#records.all()
  }

  fields(object: string): SandboxField[] | null {
    const standard = standardFields[object]
    if (!standard) return null
    const codes = this.addressLists === null ? [] : codeFields(standard, this.addressLists)
    const custom = (this.#customFields.get(object) ?? []).filter(({ name }) => this.#mayUse(`${object}.${name}`))
    const changed = [...standard, ...codes, ...custom].map((plain) => ({ ...plain, ...this.#changes.get(plain.name) }))
    const seen = changed.filter(({ visible }) => visible !== false)
    return seen.map((given) => {
      const field = this.#readOnly.has(`${object}.${given.name}`) ? { ...given, writable: false } : given
      const allowed = this.#picklists[`${object}.${field.name}`]
      return allowed === undefined ? field : { ...field, type: 'picklist', allowed }
    })
  }

  #mayUse(field: string): boolean {
    if (!this.hidesNewFields) return true
    return [...this.assignedSets].some((name) => this.permissionSets.get(name)?.fields.includes(field) === true)
  }

  /** Whether it exists, visible to the user or not. */
  hasField(object: string, name: string): boolean {
    return [...(standardFields[object] ?? []), ...(this.#customFields.get(object) ?? [])].some(
      (field) => field.name === name,
    )
  }

  addField(object: string, field: SandboxField): void {
    this.#customFields.set(object, [...(this.#customFields.get(object) ?? []), field])
  }

  /** From every object, with all its values. */
  dropField(name: string): void {
    for (const [object, fields] of this.#customFields)
      this.#customFields.set(
        object,
        fields.filter((field) => field.name !== name),
      )
    for (const { id, object, values } of this.records()) {
      const { [name]: _dropped, ...kept } = values
      this.#records.put({ id, object, values: kept })
    }
  }

  /** For every object. Renaming keeps the values; only custom fields can be renamed. */
  changeField(
    name: string,
    { name: renamed = name, type, values, requiredByLayout: _pages, ...more }: FieldChange,
  ): void {
    const isList = values && { type: 'picklist' as const, allowed: values }
    const typed = type === undefined ? {} : { type: type as SandboxField['type'] }
    this.#changes.set(renamed, { ...this.#changes.get(name), ...more, ...typed, ...isList })
    if (renamed === name) return
    for (const [object, fields] of this.#customFields)
      this.#customFields.set(
        object,
        fields.map((field) => (field.name === name ? { ...field, name: renamed } : field)),
      )
    this.#changes.delete(name)
    for (const { id, object, values: held } of this.records()) {
      const { [name]: moved, ...others } = held
      if (moved !== undefined) this.#records.put({ id, object, values: { ...others, [renamed]: moved } })
    }
  }

  objects(): string[] {
    return Object.keys(standardFields)
  }

  of(object: string): OrgRecord[] {
    return [...this.#records.of(object)]
  }

  /** Fields by whose exact value records can be looked up. */
  isKey(object: string, field: string): boolean {
    return (
      field === 'Id' || (this.fields(object)?.some(({ name, externalId }) => name === field && externalId) ?? false)
    )
  }

  /** Records with equal, non-empty values in all of these fields. */
  sameIn(object: string, fields: readonly string[], values: Values): OrgRecord[] {
    const [first = ''] = fields
    if (fields.some((name) => foldedOf(values[name]) === undefined)) return []
    const isSame = (record: OrgRecord) =>
      fields.every((name) => foldedOf(record.values[name]) === foldedOf(values[name]))
    return this.find(object, `${folded}${first}`, foldedOf(values[first])).filter(isSame)
  }

  /** The next write of the record conflicts with another one. */
  lock(id: string): void {
    this.#locked.add(id)
  }

  takeLock(id: string): boolean {
    return this.#locked.delete(id)
  }

  keepCursor(records: readonly unknown[]): string {
    const id = this.newId('Cursor')
    keep(this.cursors, id, records, cursorsMax)
    return id
  }

  keepDeployment(deployment: Deployment): void {
    keep(this.deployments, deployment.id, deployment, deploymentsMax)
  }

  keepJob(job: IngestJob): void {
    keep(this.jobs, job.id, job, jobsMax)
  }

  find(object: string, field: string, value: unknown): OrgRecord[] {
    return this.#records.find(object, field, value)
  }

  /** Creates the record, or merges the values into it; null clears a field. */
  save(object: string, id: string | null, values: Values): OrgRecord {
    const saved = id ?? this.newId(object)
    this.bin.delete(saved)
    return this.#records.put({ id: saved, object, values: { ...this.#records.get(saved)?.values, ...values } })
  }

  /** Replaces the record as a whole. */
  put(record: OrgRecord): void {
    this.bin.delete(record.id)
    this.#records.put(record)
  }

  get(id: string): OrgRecord | undefined {
    return this.#records.get(id)
  }

  /** Deleting an account also deletes what is attached to it. */
  delete(id: string, master: string | null = null): boolean {
    const record = this.get(id)
    if (record === undefined) return false
    if (record.object === 'Account')
      for (const contact of this.find('Contact', 'AccountId', id)) {
        if (master === null) this.delete(contact.id)
        else this.save('Contact', contact.id, { AccountId: master })
      }
    const values = { ...record.values, IsDeleted: true, MasterRecordId: master }
    keep(this.bin, id, { ...record, values }, binMax)
    return this.#records.delete(id)
  }

  /** Restores a record from the recycle bin. @returns false if it is not there. */
  undelete(id: string): boolean {
    const binned = this.bin.get(id)
    if (binned === undefined) return false
    const { IsDeleted: _deleted, MasterRecordId: _master, ...values } = binned.values
    this.put({ ...binned, values })
    return true
  }

  dropMember(memberId: string): void {
    for (const [campaign, { [memberId]: _dropped, ...members }] of Object.entries(this.members))
      this.members[campaign] = members
  }

  /** 18 characters: the object's prefix, a number, and a suffix in place of the checksum. */
  newId(object: string): string {
    this.#lastNumber += 1
    return `${prefixes[object] ?? '000'}${this.#lastNumber.toString(36).toUpperCase().padStart(12, '0')}AAA`
  }

  issueToken(): string {
    const token = `${this.orgId.slice(0, 15)}!${randomBytes(24).toString('base64url')}`
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
    this.#locked.clear()
    this.inApproval.clear()
    this.#changes.clear()
    this.bin.clear()
    this.jobs.clear()
    this.cursors.clear()
    this.deployments.clear()
    this.permissionSets.clear()
    this.assignedSets.clear()
    this.sharing = 'Edit'
    this.members = {}
    this.mayJoin = true
    this.callsToday = 0
    this.full = null
    this.triggerRowsMax = Number.POSITIVE_INFINITY
    this.jobFault = null
  }

  snapshot(): unknown {
    return {
      records: this.records(),
      customFields: Object.fromEntries(this.#customFields),
      lastNumber: this.#lastNumber,
      callsToday: this.callsToday,
      members: this.members,
    } satisfies z.infer<typeof State>
  }

  restore(state: unknown): void {
    const { records, customFields, lastNumber, callsToday, members } = State.parse(state)
    this.clear()
    for (const record of records) this.#records.put(record)
    for (const [object, fields] of Object.entries(customFields)) this.#customFields.set(object, fields)
    this.#lastNumber = lastNumber
    this.callsToday = callsToday
    this.members = members
  }
}

function keep<V>(map: Map<string, V>, id: string, value: V, max: number): void {
  map.set(id, value)
  const [oldest] = map.keys()
  if (map.size > max && oldest !== undefined) map.delete(oldest)
}
