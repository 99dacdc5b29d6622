/**
 * The calls of the Salesforce REST API that the connector makes, through jsforce. Signs in at the first call, renews an
 * expired session once per call, and turns the failure of a call into an AppError.
 */
import { createPrivateKey } from 'node:crypto'
import jsforce from '@jsforce/jsforce-node'
import { SignJWT } from 'jose'
import { AppError } from '../../src/errors.ts'
import type { LimitReport, SessionOptions } from '../contract.ts'
import { CrmNetwork } from '../crm-network.ts'
import type { FieldMetadata } from './metadata-package.ts'
import {
  errorCodeOf,
  failureOfCall,
  failureOfSignIn,
  isSessionExpired,
  type RowResult,
  refusalOfSubrequest,
} from './outcomes.ts'
import { type SalesforceSettings, salesforceHosts } from './settings.ts'
import { GatedTransport, type RawCall, type RawReply } from './transport.ts'

/** Named always: jsforce would speak version 50. */
const apiVersion = '66.0'
export const collectionSizeMax = 200
const compositeSizeMax = 25

export interface SalesforceRecord {
  readonly Id: string
  readonly [field: string]: unknown
}

/** An org and the host that serves it. */
export interface Organization {
  readonly id: string
  readonly instanceUrl: string
}

/** What a describe says of a field, as far as the connector reads it. */
export interface DescribedField {
  readonly name: string
  readonly label: string
  readonly type: string
  readonly length: number
  readonly nillable: boolean
  readonly createable: boolean
  readonly updateable: boolean
  readonly defaultedOnCreate: boolean
  readonly restrictedPicklist: boolean
  readonly externalId?: boolean | null
  readonly unique?: boolean | null
  readonly picklistValues?: readonly { readonly active: boolean; readonly value: string }[] | null
}

export class SalesforceClient {
  readonly #settings: SalesforceSettings
  readonly #session: SessionOptions
  readonly #network: CrmNetwork
  readonly #transport: GatedTransport
  readonly #oauth2: jsforce.OAuth2
  #connection: Promise<jsforce.Connection> | null = null
  #refreshToken: string | null
  #organization: Organization | undefined

  constructor(settings: SalesforceSettings, session: SessionOptions) {
    this.#settings = settings
    this.#session = session
    this.#network = new CrmNetwork(salesforceHosts, settings.sandbox_pass)
    this.#transport = new GatedTransport(session, this.#network, settings.timeout_ms)
    this.#oauth2 = new jsforce.OAuth2({ loginUrl: settings.login_url })
    this.#oauth2._transport = this.#transport
    this.#refreshToken = settings.auth === 'refresh_token' ? settings.refresh_token : null
  }

  /** From the sign-in. @throws AppError CRM_UNAUTHORIZED where the reply names none. */
  async organization(): Promise<Organization> {
    await this.#connect()
    if (this.#organization !== undefined) return this.#organization
    throw new AppError('CRM_UNAUTHORIZED', 'The sign-in reply does not say which Salesforce org it is for')
  }

  async describe(object: string): Promise<readonly DescribedField[]> {
    const described = await this.#call((connection) => connection.sobject(object).describe())
    return described.fields as readonly DescribedField[]
  }

  /** The records whose key is one of these; one call per 200, which keeps the address under 16 KB. */
  async find(
    object: 'Lead' | 'Contact',
    keyField: string,
    keys: readonly string[],
    fields: readonly string[],
  ): Promise<SalesforceRecord[]> {
    const columns = [...new Set(['Id', keyField, ...fields])].join(', ')
    const found: SalesforceRecord[] = []
    for (const slice of slices(keys)) {
      const list = slice.map((key) => `'${key.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`).join(', ')
      const soql = `SELECT ${columns} FROM ${object} WHERE ${keyField} IN (${list})`
      const result = await this.#call((connection) => connection.query<SalesforceRecord>(soql))
      found.push(...result.records)
    }
    return found
  }

  /**
   * One Collections call; results in the order of the records.
   * @throws AppError, or jsforce's own error where the fault may lie with single rows.
   */
  async upsertLeads(records: readonly Readonly<Record<string, unknown>>[]): Promise<readonly RowResult[]> {
    const { external_id_field: externalIdField } = this.#settings
    const results: unknown = await this.#call((connection) =>
      connection
        .sobject('Lead')
        .upsert(withoutType(records), externalIdField, { allOrNone: false, headers: this.#writeHeaders() }),
    )
    return Array.isArray(results) ? (results as RowResult[]) : []
  }

  /** Creates Leads; one that is there already is refused with DUPLICATE_VALUE. */
  async createLeads(records: readonly Readonly<Record<string, unknown>>[]): Promise<readonly RowResult[]> {
    const headers = this.#writeHeaders()
    const results: unknown = await this.#call((connection) =>
      connection.sobject('Lead').create(withoutType(records), { allOrNone: false, headers }),
    )
    return Array.isArray(results) ? (results as RowResult[]).map((each) => ({ ...each, created: true })) : []
  }

  async updateContacts(records: readonly Readonly<Record<string, unknown>>[]): Promise<readonly RowResult[]> {
    const rows = records.map((record) => ({ ...record, Id: String(record['Id']) }))
    const headers = this.#writeHeaders()
    const results: unknown = await this.#call((connection) =>
      connection.sobject('Contact').update(rows, { allOrNone: false, headers }),
    )
    return Array.isArray(results) ? (results as RowResult[]) : []
  }

  async deleteLeads(ids: readonly string[]): Promise<readonly RowResult[]> {
    const results: RowResult[] = []
    for (const slice of slices(ids)) {
      const reply: unknown = await this.#call((connection) => connection.sobject('Lead').destroy([...slice]))
      results.push(...(Array.isArray(reply) ? (reply as RowResult[]) : []))
    }
    return results
  }

  /**
   * Creates fields on Lead, 25 in one call. @returns by name why a field was not created; those that were are absent.
   * A right that is missing, a name that is taken, an edition that allows no more: that is a to-do, not a failure.
   */
  async createFields(fields: ReadonlyMap<string, FieldMetadata>): Promise<ReadonlyMap<string, string>> {
    const refusals = new Map<string, string>()
    for (const slice of slices([...fields], compositeSizeMax)) {
      const compositeRequest = slice.map(([name, Metadata], n) => ({
        method: 'POST',
        url: `/services/data/v${apiVersion}/tooling/sobjects/CustomField`,
        referenceId: `field${n}`,
        body: { FullName: `Lead.${name}`, Metadata },
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
        connection.requestPost<unknown>(`/services/data/v${apiVersion}/tooling/composite`, body),
      )
    } catch (error) {
      const code = errorCodeOf(error instanceof AppError ? error.cause : error)
      if (/^(INSUFFICIENT_ACCESS|INVALID_TYPE|NOT_FOUND)/.test(code)) return code
      throw error
    }
  }

  /** What the last answer's header said; nulls before the first. */
  get lastLimits(): LimitReport {
    return this.#transport.lastLimits
  }

  /** Before every path of the API. */
  readonly basePath = `/services/data/v${apiVersion}`

  /** A call whose answer is taken as it comes, headers and all. @param path behind the version, from `/` on. */
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
    const limits = await this.#call((connection) => connection.limits())
    const daily = (limits as unknown as Record<string, { Max: number; Remaining: number } | undefined>)[
      'DailyApiRequests'
    ]
    return daily ? { dailyUsed: daily.Max - daily.Remaining, dailyLimit: daily.Max } : this.#transport.lastLimits
  }

  #writeHeaders(): Record<string, string> {
    const { assignment_rule: rule, duplicate_rules: duplicateRules } = this.#settings
    const assign = { off: 'FALSE', default: 'TRUE' }[rule] ?? rule
    return {
      'Sforce-Auto-Assign': assign,
      ...(duplicateRules === 'off' ? { 'Sforce-Duplicate-Rule-Header': 'allowSave=true' } : {}),
    }
  }

  async #call<T>(work: (connection: jsforce.Connection) => PromiseLike<T>): Promise<T> {
    try {
      return await work(await this.#connect())
    } catch (error) {
      if (!isSessionExpired(error)) throw this.#failure(error)
    }
    // The session expired: one renewal per call, so that a revoked app makes no hot loop.
    this.#connection = null
    try {
      return await work(await this.#connect())
    } catch (error) {
      throw this.#failure(error)
    }
  }

  /** A limit that one worker meets holds for all of them. */
  #failure(error: unknown): unknown {
    const failure = failureOfCall(error)
    if (failure && errorCodeOf(error) === 'REQUEST_LIMIT_EXCEEDED' && typeof failure.retry === 'object') {
      this.#session.gate.observe({ ...this.#transport.lastLimits, blockedForMs: failure.retry.afterMs })
    }
    return failure ?? error
  }

  #connect(): Promise<jsforce.Connection> {
    this.#connection ??= this.#signIn()
    return this.#connection
  }

  async #signIn(): Promise<jsforce.Connection> {
    const token = await this.#requestToken()
    if (!this.#network.reaches(token.instance_url)) {
      throw new AppError('CRM_UNAUTHORIZED', 'The sign-in reply names an instance that is no host of Salesforce')
    }
    // The first 15 characters name the org; the rest of an id only checks them.
    const id = /\/id\/(00D[A-Za-z0-9]{12})/.exec(token.id)?.[1]
    this.#organization = id === undefined ? undefined : { id, instanceUrl: token.instance_url }
    const connection = new jsforce.Connection({
      version: apiVersion,
      loginUrl: this.#settings.login_url,
      instanceUrl: token.instance_url,
      accessToken: token.access_token,
    })
    connection._transport = this.#transport
    return connection
  }

  async #requestToken(): Promise<jsforce.TokenResponse> {
    try {
      const token = await this.#oauth2.requestToken(await this.#grant())
      if (token.refresh_token !== undefined && this.#refreshToken !== null) await this.#rotate(token.refresh_token)
      return token
    } catch (error) {
      this.#connection = null
      throw failureOfSignIn(error)
    }
  }

  async #grant(): Promise<{ grant_type: string; [name: string]: string }> {
    const settings = this.#settings
    switch (settings.auth) {
      case 'jwt': {
        const assertion = await new SignJWT()
          .setProtectedHeader({ alg: 'RS256' })
          .setIssuer(settings.client_id)
          .setSubject(settings.username)
          .setAudience(settings.audience ?? audienceOf(settings.login_url))
          .setExpirationTime('3m')
          .sign(createPrivateKey(settings.private_key))
        return { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }
      }
      case 'client_credentials':
        return {
          grant_type: 'client_credentials',
          client_id: settings.client_id,
          client_secret: settings.client_secret,
        }
      case 'refresh_token':
        return {
          grant_type: 'refresh_token',
          refresh_token: this.#refreshToken ?? settings.refresh_token,
          client_id: settings.client_id,
          ...(settings.client_secret === undefined ? {} : { client_secret: settings.client_secret }),
        }
    }
  }

  /** jsforce drops a rotated refresh token; the old one works no more, so the new one is stored at once. */
  async #rotate(refreshToken: string): Promise<void> {
    if (refreshToken === this.#refreshToken) return
    this.#refreshToken = refreshToken
    await this.#session.keepSettings?.({ ...this.#settings, refresh_token: refreshToken })
  }
}

/** The assertion names the login service of the org's kind, also where it is sent to the org's own My Domain. */
export function audienceOf(loginUrl: string): string {
  const { hostname } = new URL(loginUrl)
  const isTest = hostname === 'test.salesforce.com' || hostname.includes('.sandbox.')
  return isTest ? 'https://test.salesforce.com' : 'https://login.salesforce.com'
}

/** jsforce takes a member named `type` for the object's name and would write into that object. */
function withoutType(records: readonly Readonly<Record<string, unknown>>[]): Record<string, unknown>[] {
  return records.map((record) => Object.fromEntries(Object.entries(record).filter(([name]) => name !== 'type')))
}

function slices<T>(items: readonly T[], size = collectionSizeMax): T[][] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, n) => items.slice(n * size, (n + 1) * size))
}
