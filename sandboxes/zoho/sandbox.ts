/**
 * A Zoho org as a sandbox: speaks the wire format that the connector uses, keeps records and fields in memory, counts
 * credits and concurrent calls, and fails as scripted. State survives a restart through `snapshot` and `restore`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Sandbox, SandboxFault, SandboxRecord } from '../contract.ts'
import { CallDesk, strikesWrites, type WireAnswer, type WireCall } from '../kit.ts'
import { tooManyTokens } from './oauth.ts'
import { invalidToken, tooMany } from './replies.ts'
import { route } from './routes.ts'
import { type Fullness, newCredentials, Org, type ValidationRule } from './state.ts'
import { membersOf } from './tags.ts'

export interface ZohoSandboxOptions {
  /** The org's id, like the vendor's. */
  readonly organizationId?: string
  /** Concurrent calls allowed; the smallest edition has 5. */
  readonly concurrentMax?: number
  /** Credits per 24 hours. */
  readonly dailyCredits?: number
  /** The standard edition has 10. */
  readonly customFieldsMax?: number
  readonly validationRules?: readonly ValidationRule[]
  /** Picklists only accept their own values. */
  readonly restrictsLists?: boolean
}

export interface ZohoSandbox extends Sandbox {
  /** Scopes such as `ZohoCRM.settings.fields.CREATE` that the client lacks from now on. */
  withholdScopes(scopes: readonly string[]): void
  /** An administrator makes a field unique. */
  makeUnique(field: string): void
  /** No record can be created from now on, for this reason; null: there is room again. */
  fill(full: Fullness | null): void
  /** Sets whether this user sees the module. */
  showLeads(isShown: boolean): void
  /** Locks a record, by approval or by hand: it cannot be changed until the decision. */
  submit(id: string): void
  decide(id: string): void
  /** An administrator changes the module's API name; its label does not matter. */
  nameModule(name: string): void
  /** Sets the edition's limits; what was used today counts. */
  allow(limits: { readonly credits?: number; readonly fields?: number }): void
  /** Sets what this user may do with leads that others own. */
  share(how: 'Edit' | 'Read' | 'None'): void
  /** Revokes the access that a user allowed. */
  revoke(): void
}

const bodyBytesMax = 4 * 1024 * 1024

export function createZohoSandbox(options: ZohoSandboxOptions = {}): ZohoSandbox {
  const { concurrentMax = 20, organizationId = '60001234567' } = options
  const org = new Org(organizationId)
  function setUp(): void {
    org.dailyCredits = options.dailyCredits ?? 100_000
    org.customFieldsMax = options.customFieldsMax ?? 300
    org.validationRules = options.validationRules ?? []
    org.restrictsLists = options.restrictsLists === true
  }
  setUp()
  let underWay = 0

  function answer(call: WireCall, fault: SandboxFault | undefined): WireAnswer {
    const isSignIn = call.path.startsWith('/oauth/')
    if (fault?.kind === 'expire_token') {
      org.expireTokens()
      return invalidToken
    }
    if (fault?.kind === 'rate_limit') return isSignIn ? tooManyTokens : tooMany()
    if (fault?.kind === 'daily_limit') return isSignIn ? tooManyTokens : tooMany(0)
    if (isSignIn) return route(org, call)
    if (underWay > concurrentMax) return tooMany()
    if (org.creditsUsed >= org.dailyCredits) return tooMany(0)
    org.creditsUsed += 1
    return route(org, call)
  }

  const desk = new CallDesk({
    bodyBytesMax,
    answer,
    // Reported once half of the credits are used.
    headers: (): Record<string, string> =>
      org.creditsUsed * 2 < org.dailyCredits
        ? {}
        : { 'X-API-CREDITS-REMAINING': String(Math.max(0, org.dailyCredits - org.creditsUsed)) },
    mayStrike: (fault, act) => fault.match !== undefined || !strikesWrites(fault.kind) || isWrite(act),
  })

  return {
    crm: 'zoho',
    settings: (baseUrl) => ({
      accounts_url: baseUrl,
      client_id: org.credentials.clientId,
      client_secret: org.credentials.clientSecret,
      refresh_token: org.credentials.refreshToken,
    }),
    withholdScopes: (scopes) => {
      org.withheldScopes = [...scopes]
    },
    makeUnique: (field) => org.makeUnique(field),
    fill(full) {
      org.full = full
    },
    showLeads(isShown) {
      org.hasLeads = isShown
    },
    submit: (id) => void org.locked.add(id),
    decide: (id) => void org.locked.delete(id),
    nameModule(name) {
      org.moduleName = name
    },
    allow({ credits = org.dailyCredits, fields = org.customFieldsMax }) {
      org.dailyCredits = credits
      org.customFieldsMax = fields
    },
    share(how) {
      org.sharing = how
    },
    revoke() {
      org.credentials = {
        ...newCredentials(),
        clientId: org.credentials.clientId,
        clientSecret: org.credentials.clientSecret,
      }
      org.expireTokens()
    },
    async handle(request: IncomingMessage, response: ServerResponse) {
      underWay += 1
      response.once('close', () => {
        underWay -= 1
      })
      await desk.handle(request, response)
    },
    records: () =>
      org.records().map(({ id, object, values }): SandboxRecord => ({ id, object, properties: withoutEmpty(values) })),
    edit(id, values) {
      if (org.get(id) === undefined) throw new Error(`the org holds no record ${id}`)
      org.save(
        id,
        Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value === '' ? null : value])),
      )
    },
    dropField: (name) => org.dropField(name),
    changeField: (name, change) => org.changeField(name, change),
    members: (tag) => membersOf(org, tag),
    leave(tag, id) {
      org.tagged[tag] = membersOf(org, tag).filter((each) => each !== id)
    },
    remove: (id) => void org.delete(id),
    merge: (loser, winner) => org.merge(loser, winner),
    calls: () => desk.calls(),
    addFault: (fault) => desk.addFault(fault),
    faults: () => desk.faults(),
    endFaults: () => desk.endFaults(),
    reset() {
      org.clear()
      setUp()
      desk.reset()
    },
    snapshot: () => org.snapshot(),
    restore: (saved) => org.restore(saved),
  }
}

const isWrite = (act: string): boolean => /^(POST|PUT) \/crm\/v8\/Leads/.test(act)

function withoutEmpty(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
}
