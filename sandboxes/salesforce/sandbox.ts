/**
 * A Salesforce org as a sandbox: keeps Leads, Accounts and Contacts, speaks the part of the REST API that the
 * connector uses, refuses what the real one refuses, and fails as scripted. State survives a restart through
 * `snapshot` and `restore`.
 */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Sandbox, SandboxFault } from '../contract.ts'
import { CallDesk, type WireAnswer, type WireCall } from '../kit.ts'
import { workOff } from './bulk.ts'
import { withoutSession } from './deploy.ts'
import type { AddressLists, ObjectRights } from './fields.ts'
import { memberObject, membersOf } from './members.ts'
import { type SandboxApp, TokenEndpoint } from './oauth.ts'
import { limitExceeded } from './replies.ts'
import { route } from './routes.ts'
import { type DuplicateRule, type Fullness, Org, type ValidationRule, type Values } from './state.ts'

export interface SalesforceSandboxOptions {
  /** 18 characters, like the vendor's org ids. */
  readonly orgId?: string
  readonly app?: Partial<SandboxApp>
  /** Calls per day, as `Sforce-Limit-Info` reports it. */
  readonly dailyLimit?: number
  /** False refuses to create fields, as for a user without the right to change the data model. */
  readonly mayCreateFields?: boolean
  /** Permissions that the user lacks, by object. */
  readonly withheld?: Readonly<Record<string, Partial<ObjectRights>>>
  /** Validation rules, each of which refuses rows with a certain value. */
  readonly validationRules?: readonly ValidationRule[]
  /** True if new fields are invisible until a permission set grants them. */
  readonly hidesNewFields?: boolean
  readonly duplicateRules?: readonly DuplicateRule[]
  /** Number of rows after which bulk jobs fail and leave the rest unprocessed. */
  readonly bulkFailsAfter?: number
  /** Most rows in a page of a bulk job's results, whatever is requested. */
  readonly bulkPageRows?: number
  /** Records per page of a query; default 2,000. */
  readonly queryPageRows?: number
  /** `Object.Field` that the user can only read. */
  readonly readOnlyFields?: readonly string[]
  /** Values by `Object.Field`: these fields are restricted picklists, as State and Country are in many orgs. */
  readonly restrictedPicklists?: Readonly<Record<string, readonly string[]>>
  /** Values by `Object.Field` that this user's record type offers, a part of the field's own. */
  readonly recordTypeLists?: Readonly<Record<string, readonly string[]>>
  /** State and country picklists, as in new orgs: codes are accepted, and unknown texts refused. */
  readonly addressLists?: AddressLists
}

const bodyBytesMax = 64 * 1024 * 1024
const SavedState = z.object({
  app: z.object({ clientSecret: z.string(), refreshToken: z.string().optional() }).optional(),
  org: z.unknown(),
})

/** Secrets are random for each sandbox. */
function newApp(): SandboxApp {
  const random = () => randomBytes(18).toString('base64url')
  return {
    clientId: 'panji-sandbox-app',
    clientSecret: `sandbox-${random()}`,
    refreshToken: `sandbox-refresh-${random()}`,
  }
}

export interface SalesforceSandbox extends Sandbox {
  /** Sets the org's duplicate rules. */
  ruleDuplicates(rules: readonly DuplicateRule[]): void
  /** Sets the org's validation rules. */
  ruleValues(rules: readonly ValidationRule[]): void
  /** Sets the values that the user's record type offers, by `Object.Field`. */
  offer(lists: Readonly<Record<string, readonly string[]>>): void
  /** Sets the calls per day; those already made today count. */
  limitCalls(callsADay: number): void
  /** The next write of this record conflicts with another one. */
  lock(id: string): void
  /** Submits a record for approval: it cannot be changed until the decision. */
  submit(id: string): void
  decide(id: string): void
  /** A user restores a record from the recycle bin. */
  undelete(id: string): void
  /** A user converts a lead. @returns the id of the Contact. */
  convert(id: string): string
  /** No record can be created from now on, for this reason; null: there is room again. */
  fill(full: Fullness | null): void
  /** Sets what users may do with records that others own: change, read, or not even see them. */
  share(access: 'Edit' | 'Read' | 'None'): void
  /** Sets how many rows of one write the org's triggers can handle; null: any number. */
  limitTriggers(rows: number | null): void
  /** Bulk jobs fail with this message before their first row from now on; null: they are processed again. */
  failJobs(words: string | null): void
  /** Sets whether the user may create campaign members. */
  letJoin(mayJoin: boolean): void
  /** Revokes the access that a user allowed. */
  revoke(): void
}

export function createSalesforceSandbox(options: SalesforceSandboxOptions = {}): SalesforceSandbox {
  let app = { ...newApp(), ...options.app }
  const { mayCreateFields = true, withheld = {}, restrictedPicklists = {} } = options
  const {
    orgId = '00D000000000001EAA',
    readOnlyFields = [],
    bulkFailsAfter = Number.POSITIVE_INFINITY,
    bulkPageRows = 10_000,
  } = options
  const org = new Org(orgId, restrictedPicklists, readOnlyFields)
  function setUp(): void {
    org.duplicateRules = options.duplicateRules ?? []
    org.dailyLimit = options.dailyLimit ?? 100_000
    org.validationRules = options.validationRules ?? []
    org.recordTypeLists = options.recordTypeLists ?? {}
  }
  setUp()
  org.hidesNewFields = options.hidesNewFields ?? false
  org.addressLists = options.addressLists ?? null
  org.queryPageRows = options.queryPageRows ?? org.queryPageRows
  let tokens = new TokenEndpoint(org, app)

  function answer(call: WireCall, fault: SandboxFault | undefined): WireAnswer | Promise<WireAnswer> {
    if (fault?.kind === 'rate_limit') return limitExceeded('ConcurrentRequests')
    if (fault?.kind === 'daily_limit') return limitExceeded('TotalRequests')
    if (fault?.kind === 'expire_token') org.expireTokens()
    return route(org, tokens, call, { mayCreateFields, withheld, bulkFailsAfter, bulkPageRows })
  }

  const desk = new CallDesk({
    bodyBytesMax,
    answer,
    headers: ({ path }): Record<string, string> =>
      path.startsWith('/services/data/')
        ? { 'sforce-limit-info': `api-usage=${org.callsToday}/${org.dailyLimit}` }
        : {},
    shown: withoutSession,
    // Records of every object are posted to the same address.
    does: ({ text }) => (text.includes(`"type":"${memberObject}"`) ? memberObject : ''),
    // Signing in does not count against the API limits.
    mayStrike: (fault, act) => !(fault.kind.endsWith('_limit') && act.includes('/services/oauth2/')),
  })

  return {
    crm: 'salesforce',
    rootPaths: ['/services/', '/id/'],
    settings: (baseUrl) => ({
      auth: 'client_credentials',
      login_url: baseUrl,
      client_id: app.clientId,
      client_secret: app.clientSecret,
    }),
    handle: (request, response) => desk.handle(request, response),
    records() {
      workOff(org, bulkFailsAfter)
      return org.records().map(({ id, object, values }) => ({ id, object, properties: { Id: id, ...values } }))
    },
    edit(id, values) {
      const record = org.get(id)
      if (!record) throw new Error(`the org holds no record ${id}`)
      const typed = Object.entries(values).map(([name, value]) => [name, value === '' ? null : value] as const)
      org.save(record.object, id, Object.fromEntries(typed))
    },
    dropField: (name) => org.dropField(name),
    changeField: (name, change) => org.changeField(name, change),
    remove: (id) => void org.delete(id),
    undelete(id) {
      if (!org.undelete(id)) throw new Error(`the bin holds no record ${id}`)
    },
    merge(loser, winner) {
      org.delete(loser, winner)
      return winner
    },
    ruleDuplicates(rules) {
      org.duplicateRules = rules
    },
    ruleValues(rules) {
      org.validationRules = rules
    },
    offer(lists) {
      org.recordTypeLists = lists
    },
    limitCalls(callsADay) {
      org.dailyLimit = callsADay
    },
    lock: (id) => org.lock(id),
    submit: (id) => void org.inApproval.add(id),
    decide: (id) => void org.inApproval.delete(id),
    fill(full) {
      org.full = full
    },
    share(access) {
      org.sharing = access
    },
    limitTriggers(rows) {
      org.triggerRowsMax = rows ?? Number.POSITIVE_INFINITY
    },
    failJobs(words) {
      org.jobFault = words
    },
    letJoin(mayJoin) {
      org.mayJoin = mayJoin
    },
    members: (campaign) => membersOf(org, campaign),
    leave(campaign, id) {
      for (const [member, record] of Object.entries(org.members[campaign] ?? {}))
        if (record === id) org.dropMember(member)
    },
    revoke: () => tokens.revoke(),
    convert(id) {
      const lead = org.get(id)
      if (lead?.object !== 'Lead') throw new Error(`the org holds no lead ${id}`)
      const person = Object.entries(personOf(lead.values)).filter(([, value]) => value !== undefined)
      const contact = org.save('Contact', null, Object.fromEntries(person) as Values)
      org.save('Lead', id, { IsConverted: true, ConvertedContactId: contact.id })
      return contact.id
    },
    calls: () => desk.calls(),
    addFault: (fault) => desk.addFault(fault),
    faults: () => desk.faults(),
    endFaults: () => desk.endFaults(),
    reset() {
      org.clear()
      setUp()
      desk.reset()
    },
    snapshot: () => ({
      app: { clientSecret: app.clientSecret, refreshToken: tokens.refreshToken },
      org: org.snapshot(),
    }),
    restore(state) {
      const saved = SavedState.parse(state)
      org.restore(saved.org)
      if (saved.app === undefined) return
      const { clientSecret, refreshToken = app.refreshToken } = saved.app
      app = { ...app, clientSecret, refreshToken }
      tokens = new TokenEndpoint(org, app)
    },
  }
}

function personOf({
  LastName,
  FirstName,
  Email,
  Phone,
  MobilePhone,
  Street,
  City,
  State,
  PostalCode,
  Country,
}: Values) {
  const address = { MailingStreet: Street, MailingCity: City, MailingState: State, MailingPostalCode: PostalCode }
  return { LastName, FirstName, Email, Phone, MobilePhone, ...address, MailingCountry: Country }
}
