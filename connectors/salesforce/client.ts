/**
 * The connector's calls of the Salesforce REST API, through jsforce. Signs in at the first call, renews an expired
 * session once per call, and converts the failure of a call to an AppError.
 */
import type { Connection } from '@jsforce/jsforce-node/lib/connection.js'
import { AppError } from '../../src/errors.ts'
import type { LimitReport } from '../call-gate.ts'
import type { SessionOptions } from '../contract.ts'
import { CrmNetwork } from '../crm-network.ts'
import { slices } from '../slices.ts'
import type { FieldMetadata } from './metadata-package.ts'
import { apiVersion, type Organization, OrgSignIn } from './org-sign-in.ts'
import {
  errorCodeOf,
  failureOfCall,
  failureOfRead,
  isSessionExpired,
  type RowResult,
  refusalOfSubrequest,
} from './outcomes.ts'
import { type MadeObject, questionFor, type ReadObject, type SalesforceObject } from './question.ts'
import { type SalesforceSettings, salesforceHosts } from './settings.ts'
import { GatedTransport, type RawCall, type RawReply } from './transport.ts'

export const collectionSizeMax = 200
const compositeSizeMax = 25

export interface SalesforceRecord {
  readonly Id: string
  readonly [field: string]: unknown
}

/** A query's answer, as far as it says whether more pages follow. */
export interface AnswerInParts {
  readonly done: boolean
  readonly nextRecordsUrl?: string
}

/** The part of a field's describe that the connector reads. */
export interface DescribedField {
  readonly name: string
  readonly label: string
  readonly type: string
  readonly length: number
  readonly nillable: boolean
  readonly createable: boolean
  readonly updateable: boolean
  readonly defaultedOnCreate: boolean
  /** True for a formula, which cannot be written. */
  readonly calculated?: boolean | null
  readonly restrictedPicklist: boolean
  readonly filterable?: boolean | null
  readonly externalId?: boolean | null
  readonly unique?: boolean | null
  readonly picklistValues?:
    | readonly { readonly active: boolean; readonly value: string; readonly label?: string | null }[]
    | null
}

/** What the signed-in user may do with an object, and its fields. */
export interface DescribedObject {
  readonly createable: boolean
  readonly updateable: boolean
  readonly deletable: boolean
  readonly fields: readonly DescribedField[]
}

type Rows = readonly Readonly<Record<string, unknown>>[]

export class SalesforceClient {
  readonly #settings: SalesforceSettings
  readonly #session: SessionOptions
  readonly #transport: GatedTransport
  readonly #signIn: OrgSignIn

  constructor(settings: SalesforceSettings, session: SessionOptions) {
    const network = new CrmNetwork(salesforceHosts, settings.sandbox_pass)
    this.#settings = settings
    this.#session = session
    this.#transport = new GatedTransport(session, network, settings.timeout_ms)
    this.#signIn = new OrgSignIn({ settings, session, network, transport: this.#transport })
  }

  /** From the sign-in reply. @throws AppError CRM_UNAUTHORIZED if it names none. */
  organization(): Promise<Organization> {
    return this.#signIn.organization()
  }

  async describe(object: MadeObject): Promise<DescribedObject> {
    const described: unknown = await this.#read((connection) => connection.sobject(object).describe())
    return described as DescribedObject
  }

  /** The records whose key is one of these; one call per 200, which keeps the address under 16 KB. */
  find(
    object: ReadObject,
    keyField: string,
    keys: readonly string[],
    fields: readonly string[],
  ): Promise<SalesforceRecord[]> {
    return inSlices(keys, (some) => this.#query(questionFor(object, keyField, some, fields)))
  }

  /** The same, without those that the user has no access to. */
  findVisible(
    object: ReadObject,
    keyField: string,
    keys: readonly string[],
    fields: readonly string[],
  ): Promise<SalesforceRecord[]> {
    return inSlices(keys, async (some) => (await this.ask(questionFor(object, keyField, some, fields))) ?? [])
  }

  async #query(soql: string): Promise<readonly SalesforceRecord[]> {
    const first = await this.#read((connection) => connection.query<SalesforceRecord>(soql))
    return [...first.records, ...(await this.rest(first))]
  }

  /** The remaining pages of an answer. An org may split any answer, and chooses the size of its pages. */
  async rest(answer: AnswerInParts): Promise<SalesforceRecord[]> {
    const found: SalesforceRecord[] = []
    let part = answer
    while (!part.done) {
      const from = part.nextRecordsUrl
      if (from === undefined)
        throw new AppError('CRM_UNAVAILABLE', 'Salesforce answered a question in part', { retry: 'later' })
      const next = await this.#read((connection) => connection.queryMore<SalesforceRecord>(from))
      found.push(...next.records)
      part = next
    }
    return found
  }

  /** Runs a SOQL query. @returns null if the user has no access to it. */
  async ask(soql: string): Promise<readonly SalesforceRecord[] | null> {
    try {
      return await this.#query(soql)
    } catch (error) {
      const code = errorCodeOf(error instanceof AppError ? error.cause : error)
      if (/^(INVALID_TYPE|INVALID_FIELD|INSUFFICIENT_ACCESS|MALFORMED_QUERY)/.test(code)) return null
      throw error
    }
  }

  /**
   * One Collections call; results in the order of the records.
   * @throws AppError, or jsforce's own error if single rows may be at fault.
   */
  async upsert(object: SalesforceObject, records: Rows): Promise<readonly RowResult[]> {
    const { external_id_field: externalIdField } = this.#settings
    const options = { allOrNone: false, headers: this.writeHeaders() }
    return listOf(
      await this.#call((connection) =>
        connection.sobject(object).upsert(withoutType(records), externalIdField, options),
      ),
    )
  }

  /** Creates records; an existing one is refused with DUPLICATE_VALUE. */
  async create(object: MadeObject, records: Rows): Promise<readonly RowResult[]> {
    const options = { allOrNone: false, headers: this.writeHeaders() }
    const results = await this.#call((connection) => connection.sobject(object).create(withoutType(records), options))
    return listOf(results).map((each) => ({ ...each, created: true }))
  }

  /** By their Ids. */
  async update(object: SalesforceObject, records: Rows): Promise<readonly RowResult[]> {
    const results: RowResult[] = []
    for (const slice of slices(records, collectionSizeMax)) {
      const rows = withoutType(slice).map((record) => ({ ...record, Id: String(record['Id']) }))
      const options = { allOrNone: false, headers: this.writeHeaders() }
      results.push(...listOf(await this.#call((connection) => connection.sobject(object).update(rows, options))))
    }
    return results
  }

  async destroy(object: SalesforceObject, ids: readonly string[]): Promise<readonly RowResult[]> {
    const results: RowResult[] = []
    for (const slice of slices(ids, collectionSizeMax)) {
      results.push(...listOf(await this.#call((connection) => connection.sobject(object).destroy([...slice]))))
    }
    return results
  }

  /**
   * Creates fields, 25 per call. @returns why a field was not created, by name; created ones are absent.
   * A missing permission, a name in use or a limit of the edition leads to a to-do, not to a failure.
   */
  async createFields(
    object: SalesforceObject,
    fields: ReadonlyMap<string, FieldMetadata>,
  ): Promise<ReadonlyMap<string, string>> {
    const refusals = new Map<string, string>()
    for (const slice of slices([...fields], compositeSizeMax)) {
      const compositeRequest = slice.map(([name, Metadata], n) => ({
        method: 'POST',
        url: `${this.basePath}/tooling/sobjects/CustomField`,
        referenceId: `field${n}`,
        body: { FullName: `${object}.${name}`, Metadata },
      }))
      const reply: unknown = await this.#createOnce({ allOrNone: false, compositeRequest })
      slice.forEach(([name], n) => {
        const refused = typeof reply === 'string' ? reply : refusalOfSubrequest(reply, n)
        if (refused !== null) refusals.set(name, refused)
      })
    }
    return refusals
  }

  /** @returns the reply, or the code with which the call was refused as a whole. */
  async #createOnce(body: object): Promise<unknown> {
    try {
      return await this.#call((connection) =>
        connection.requestPost<unknown>(`${this.basePath}/tooling/composite`, body),
      )
    } catch (error) {
      const code = errorCodeOf(error instanceof AppError ? error.cause : error)
      if (/^(INSUFFICIENT_ACCESS|INVALID_TYPE|NOT_FOUND)/.test(code)) return code
      throw error
    }
  }

  /** From the last reply's header; nulls before the first. */
  get lastLimits(): LimitReport {
    return this.#transport.lastLimits
  }

  readonly basePath = `/services/data/v${apiVersion}`

  /** A call that returns the raw reply with its headers. @param path after the version, starting with `/`. */
  exchange({ path, ...call }: Omit<RawCall, 'url'> & { readonly path: string }): Promise<RawReply> {
    return this.#call((connection) =>
      this.#transport.exchange({
        ...call,
        url: `${connection.instanceUrl}${this.basePath}${path}`,
        headers: { ...call.headers, authorization: `Bearer ${connection.accessToken}` },
      }),
    )
  }

  async limits(): Promise<LimitReport> {
    const limits = await this.#read((connection) => connection.limits())
    const daily = (limits as unknown as Record<string, { Max: number; Remaining: number } | undefined>)[
      'DailyApiRequests'
    ]
    return daily ? { dailyUsed: daily.Max - daily.Remaining, dailyLimit: daily.Max } : this.#transport.lastLimits
  }

  /** Headers of every call that writes records. */
  writeHeaders(): Record<string, string> {
    const { assignment_rule: rule, duplicate_rules: duplicateRules } = this.#settings
    const assign = { off: 'FALSE', default: 'TRUE' }[rule] ?? rule
    return {
      'Sforce-Auto-Assign': assign,
      ...(duplicateRules === 'off' ? { 'Sforce-Duplicate-Rule-Header': 'allowSave=true' } : {}),
    }
  }

  async #read<T>(work: (connection: Connection) => PromiseLike<T>): Promise<T> {
    try {
      return await this.#call(work)
    } catch (error) {
      throw failureOfRead(error)
    }
  }

  async #call<T>(work: (connection: Connection) => PromiseLike<T>): Promise<T> {
    try {
      return await work(await this.#signIn.connect())
    } catch (error) {
      if (!isSessionExpired(error)) throw this.#failure(error)
    }
    // The session expired: one renewal per call, so that a revoked app causes no loop.
    this.#signIn.giveUp()
    try {
      return await work(await this.#signIn.connect())
    } catch (error) {
      throw this.#failure(error)
    }
  }

  /** A limit that one worker hits applies to all of them. */
  #failure(error: unknown): unknown {
    const failure = failureOfCall(error)
    if (failure && errorCodeOf(error) === 'REQUEST_LIMIT_EXCEEDED' && typeof failure.retry === 'object') {
      this.#session.gate.observe({ ...this.#transport.lastLimits, blockedForMs: failure.retry.afterMs })
    }
    return failure ?? error
  }
}

/** jsforce takes a member named `type` for the object's name and would write into that object. */
function withoutType(records: Rows): Record<string, unknown>[] {
  return records.map((record) => {
    const fields = Object.entries(record).filter(([name]) => name !== 'type')
    return emptied(Object.fromEntries(fields))
  })
}

/** An empty text clears a value; for numbers and dates Salesforce only accepts null. */
export function emptied<V>(fields: Readonly<Record<string, V>>): Record<string, V | null> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value === '' ? null : value]))
}

const listOf = (reply: unknown): readonly RowResult[] => (Array.isArray(reply) ? (reply as RowResult[]) : [])

async function inSlices(
  keys: readonly string[],
  ask: (some: readonly string[]) => Promise<readonly SalesforceRecord[]>,
): Promise<SalesforceRecord[]> {
  const found: SalesforceRecord[] = []
  for (const some of slices(keys, collectionSizeMax)) found.push(...(await ask(some)))
  return found
}
