/**
 * A HubSpot account as a sandbox: speaks the wire format that the connector uses, keeps records and properties in
 * memory, counts calls, and fails as scripted. State survives a restart through `snapshot` and `restore`.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { ConsentDesk } from '../consent.ts'
import type { Sandbox, SandboxFault, SandboxRecord } from '../contract.ts'
import { CallDesk, strikesWrites, type WireAnswer, type WireCall } from '../kit.ts'
import { CallWindow } from './call-window.ts'
import { archiveProperty, changeProperty, restoreProperty } from './fields.ts'
import { membersOf } from './lists.ts'
import { rateLimited, searchLimited, unauthorized } from './replies.ts'
import { route } from './routes.ts'
import {
  emptyState,
  mergeRecords,
  newCredentials,
  restoredState,
  type SandboxState,
  savedState,
  store,
} from './state.ts'

export interface HubspotSandboxOptions {
  /** The account's id. */
  readonly portalId?: number
  /** Calls in rolling ten seconds; Professional and Enterprise accounts have 190. */
  readonly tenSecondlyMax?: number
  /** Searches per second for the whole account. */
  readonly searchesPerSecondMax?: number
  readonly rotateRefreshTokens?: boolean
  /** False for accounts that refuse a whole batch for one bad row, although the rows have trace ids. */
  readonly multiStatus?: boolean
}

export interface HubspotSandbox extends Sandbox {
  oauthSettings(baseUrl: string): Readonly<Record<string, unknown>>
  /** Scopes such as `crm.schemas.companies.write` that the app lacks from now on. */
  withholdScopes(scopes: readonly string[]): void
  /** The subscription's limits from now on; null: unlimited. */
  allow(limits: {
    readonly records?: number | null
    readonly properties?: number | null
    /** Calls per day for private apps. */
    readonly calls?: number
  }): void
  /** An administrator restores an archived property, with the records' values. */
  restoreField(name: string): void
  /** An owner leaves: they keep their records and cannot be assigned any more. */
  archiveOwner(email: string): void
  /** Gives the private app a new token; the previous one is refused at once. */
  rotateToken(): void
  /** Turns on the automation that creates a company for a contact's e-mail domain. */
  makeCompanies(): void
  /** Revokes the access that a user allowed. */
  revoke(): void
}

const bodyBytesMax = 4 * 1024 * 1024

export function createHubspotSandbox(options: HubspotSandboxOptions = {}): HubspotSandbox {
  const { tenSecondlyMax = 190, searchesPerSecondMax = 5, rotateRefreshTokens = false, multiStatus = true } = options
  const { portalId = 24_680_135 } = options
  let state: SandboxState = emptyState(newCredentials(), portalId)
  const window = new CallWindow(tenSecondlyMax)
  const consent = new ConsentDesk()
  const searches = new CallWindow(searchesPerSecondMax, 1_000)

  function answer(
    { method, path, headers, text }: WireCall,
    fault: SandboxFault | undefined,
  ): WireAnswer | Promise<WireAnswer> {
    if (fault?.kind === 'expire_token') {
      state.accessTokens = []
      return unauthorized('EXPIRED_AUTHENTICATION')
    }
    if (fault?.kind === 'rate_limit') return rateLimited('TEN_SECONDLY_ROLLING')
    if (fault?.kind === 'daily_limit') return rateLimited('DAILY')
    if (path.startsWith('/oauth/authorize'))
      return consent.answer({ method, path, text }, 'HubSpot', state.credentials.clientId)
    if (!window.admit(Date.now())) return rateLimited('TEN_SECONDLY_ROLLING')
    state.callsToday += 1
    if (state.callsToday > state.callsMax) return rateLimited('DAILY')
    const { pathname, searchParams: parameters } = new URL(`http://sandbox${path}`)
    // Only for records; the documentation gives no such limit for lists.
    if (/\/objects\/.*\/search$/.test(pathname) && !searches.admit(Date.now())) return searchLimited
    const { authorization, 'content-type': contentType = '' } = headers
    const request = { method, path: pathname, parameters, authorization, contentType, text }
    return route(state, request, { rotateRefreshTokens, multiStatus, consent })
  }

  const desk = new CallDesk({
    bodyBytesMax,
    answer,
    headers: () => ({
      'x-hubspot-correlation-id': randomUUID(),
      ...window.headers(state.callsToday, state.callsMax),
    }),
    mayStrike: (fault, act) => fault.match !== undefined || !strikesWrites(fault.kind) || act.includes('/batch/upsert'),
  })

  return {
    crm: 'hubspot',
    settings: (baseUrl) => ({
      access_token: state.credentials.privateAppToken,
      portal_id: state.portalId,
      base_url: baseUrl,
    }),
    oauthSettings: (baseUrl) => ({
      client_id: state.credentials.clientId,
      client_secret: state.credentials.clientSecret,
      refresh_token: state.credentials.firstRefreshToken,
      portal_id: state.portalId,
      base_url: baseUrl,
    }),
    withholdScopes: (scopes) => {
      state.withheldScopes = [...scopes]
    },
    makeCompanies() {
      state.makesCompanies = true
    },
    allow({ records = state.recordsMax, properties = state.propertiesMax, calls = state.callsMax }) {
      state.recordsMax = records
      state.propertiesMax = properties
      state.callsMax = calls
    },
    restoreField(name) {
      for (const object of Object.keys(state.properties)) restoreProperty(state, object, name)
    },
    archiveOwner(email) {
      state.ownersLeft = [...state.ownersLeft, email]
    },
    rotateToken() {
      state.credentials = { ...state.credentials, privateAppToken: newCredentials().privateAppToken }
    },
    revoke() {
      state.refreshToken = `sandbox-refresh-${randomBytes(18).toString('base64url')}`
      state.accessTokens = []
    },
    handle: (request, response) => desk.handle(request, response),
    records: () => state.records.all().map(({ id, object, properties }): SandboxRecord => ({ id, object, properties })),
    edit(id, values) {
      const record = state.records.get(id)
      if (!record) throw new Error(`the account holds no record ${id}`)
      store(state, record.object, record, values)
    },
    dropField(name) {
      for (const object of Object.keys(state.properties)) archiveProperty(state, object, name)
    },
    changeField(name, change) {
      for (const object of Object.keys(state.properties)) changeProperty(state, object, name, change)
    },
    members: (list) => membersOf(state, list),
    leave(list, id) {
      state.members[list] = membersOf(state, list).filter((each) => each !== id)
    },
    remove: (id) => void state.records.delete(id),
    merge: (loser, winner) => mergeRecords(state, loser, winner),
    calls: () => desk.calls(),
    addFault: (fault) => desk.addFault(fault),
    faults: () => desk.faults(),
    endFaults: () => desk.endFaults(),
    reset() {
      state = emptyState(state.credentials, portalId)
      desk.reset()
      window.clear()
      searches.clear()
    },
    snapshot: () => savedState(state),
    restore: (saved) => {
      state = restoredState(saved, state)
    },
  }
}
