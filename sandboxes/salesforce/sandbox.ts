/**
 * A Salesforce org in a box: keeps Leads, Accounts and Contacts, speaks the REST API's wire format for what the connector uses, refuses what the
 * real one refuses, and fails as scripted. State survives a restart through `snapshot` and `restore`.
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
  /** Of 18 characters, as the vendor counts its customers. */
  readonly orgId?: string
  readonly app?: Partial<SandboxApp>
  /** Calls a day, as `Sforce-Limit-Info` reports it. */
  readonly dailyLimit?: number
  /** False refuses to create fields, as for a user without the right to change the data model. */
  readonly mayCreateFields?: boolean
  /** By object what the user may not do with its records. */
  readonly withheld?: Readonly<Record<string, Partial<ObjectRights>>>
  /** Rules of the administrator's, of which each refuses rows with a value. */
  readonly validationRules?: readonly ValidationRule[]
  /** True where a new field is seen by nobody until a permission set that they have names it. */
  readonly hidesNewFields?: boolean
  readonly duplicateRules?: readonly DuplicateRule[]
  /** Rows after which bulk jobs fail and leave the others unprocessed. */
  readonly bulkFailsAfter?: number
  /** Most rows in a page of a bulk job's results, whatever is asked for. */
  readonly bulkPageRows?: number
  /** Records in one answer to a question, 2,000 where nothing is said. */
  readonly queryPageRows?: number
  /** `Object.Field` that the user may read and not write. */
  readonly readOnlyFields?: readonly string[]
  /** Values by `Object.Field`: such fields are restricted picklists, as State and Country are in many orgs. */
  readonly restrictedPicklists?: Readonly<Record<string, readonly string[]>>
  /** Values by `Object.Field` that the record type of this user offers, of more that the field has. */
  readonly recordTypeLists?: Readonly<Record<string, readonly string[]>>
  /** Lists of states and countries, as new orgs have them: their codes are taken, and texts that name none of them refused. */
  readonly addressLists?: AddressLists
}

const bodyBytesMax = 64 * 1024 * 1024
const SavedState = z.object({
  app: z.object({ clientSecret: z.string(), refreshToken: z.string().optional() }).optional(),
  org: z.unknown(),
})

/** Secrets are made at random for each sandbox. */
function newApp(): SandboxApp {
  const random = () => randomBytes(18).toString('base64url')
  return {
    clientId: 'panji-sandbox-app',
    clientSecret: `sandbox-${random()}`,
    refreshToken: `sandbox-refresh-${random()}`,
  }
}

export interface SalesforceSandbox extends Sandbox {
  /** The org's duplicate rules from now on. */
  ruleDuplicates(rules: readonly DuplicateRule[]): void
  /** The org's validation rules from now on. */
  ruleValues(rules: readonly ValidationRule[]): void
  /** By `Object.Field` what the user's record type offers from now on. */
  offer(lists: Readonly<Record<string, readonly string[]>>): void
  /** Calls that the org has in a day from now on; those of today are counted. */
  limitCalls(callsADay: number): void
  /** The next write of this record meets somebody else's. */
  lock(id: string): void
  /** For approval: nobody changes the record until it is decided. */
  submit(id: string): void
  decide(id: string): void
  /** What a person takes out of the recycle bin. */
  undelete(id: string): void
  /** What a rep does with a lead that is worth it. @returns the id of the Contact. */
  convert(id: string): string
  /** From now on no record is made, for this reason; null: there is room again. */
  fill(full: Fullness | null): void
  /** What people may do from now on with records that others own: change, read, or not even see them. */
  share(access: 'Edit' | 'Read' | 'None'): void
  /** From now on the org's triggers bear so many rows of one write; null: any. */
  limitTriggers(rows: number | null): void
  /** From now on bulk jobs fail with these words before their first row; null: they are worked off again. */
  failJobs(words: string | null): void
  /** Whether the user makes members of campaigns from now on. */
  letJoin(mayJoin: boolean): void
  /** Takes the access away that a person allowed. */
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
    // Records of every object go to one address.
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
