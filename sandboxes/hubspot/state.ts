/**
 * The account's state: records, properties, groups, tokens, the day's calls. It is all plain data, so that a snapshot
 * is the state itself.
 */
import { randomBytes } from 'node:crypto'
import { RecordTable } from '../records.ts'

export interface StoredProperty {
  readonly name: string
  readonly label: string
  readonly type: 'string' | 'number' | 'date' | 'datetime' | 'enumeration' | 'bool' | 'phone_number'
  readonly fieldType: string
  readonly groupName: string
  readonly hasUniqueValue: boolean
  readonly options: readonly { readonly label: string; readonly value: string; readonly hidden: boolean }[]
  /** For values that are ids of other objects and not options of the property. */
  readonly modificationMetadata?: { readonly readOnlyValue: boolean }
  readonly referencedObjectType?: 'OWNER'
  readonly externalOptions?: true
}

export interface StoredRecord {
  readonly id: string
  readonly object: string
  readonly properties: Record<string, string>
  readonly createdAt: string
  updatedAt: string
}

/** A finished import, with the rejected rows. */
export interface StoredImport {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  readonly rows: number
  readonly created: number
  readonly updated: number
  readonly errors: readonly unknown[]
}

/** Credentials of the account's apps, random for each sandbox. */
export interface Credentials {
  readonly privateAppToken: string
  readonly clientId: string
  readonly clientSecret: string
  readonly firstRefreshToken: string
}

export function newCredentials(): Credentials {
  const random = () => randomBytes(18).toString('base64url')
  return {
    privateAppToken: `pat-na1-sandbox-${random()}`,
    clientId: 'sandbox-client',
    clientSecret: `sandbox-${random()}`,
    firstRefreshToken: `sandbox-refresh-${random()}`,
  }
}

export interface ArchivedProperty {
  readonly property: StoredProperty
  readonly values: Readonly<Record<string, string>>
}

export interface SandboxState {
  portalId: number
  credentials: Credentials
  nextId: number
  records: RecordTable<StoredRecord>
  /** `contact company`, by their ids. */
  associations: Set<string>
  /** Properties and groups by object. */
  properties: Record<string, StoredProperty[]>
  groups: Record<string, string[]>
  /** By `object.group`. */
  groupLabels: Record<string, string>
  imports: StoredImport[]
  /** Ids of the records in each list, by its id. */
  members: Record<string, readonly string[]>
  callsToday: number
  /** Calls per day for private apps. */
  callsMax: number
  /** E-mail addresses of owners who have left. */
  ownersLeft: readonly string[]
  /** Archived properties by object, with the records' values. */
  archived: Record<string, readonly ArchivedProperty[]>
  /** Scopes that the app lacks: calls that need them are refused. */
  withheldScopes: string[]
  /** The subscription's limits of records per object and of custom properties; null: unlimited. */
  recordsMax: number | null
  propertiesMax: number | null
  /** True if a contact creates a company for its e-mail domain. */
  makesCompanies: boolean
  /** Valid access tokens of the OAuth endpoint. */
  accessTokens: string[]
  refreshToken: string
}

const property = (name: string, type: StoredProperty['type'] = 'string', options: readonly string[] = []) => ({
  name,
  label: name,
  type,
  fieldType:
    { string: 'text', enumeration: 'select', phone_number: 'phonenumber', bool: 'booleancheckbox' }[type as string] ??
    type,
  groupName: 'information',
  hasUniqueValue: name === 'email' || name === 'hs_object_id',
  options: options.map((value) => ({ label: value, value, hidden: false })),
})

/** Its options are the users of the account, which the property does not list. */
const ownerProperty: StoredProperty = {
  ...property('hubspot_owner_id', 'enumeration'),
  ...{ referencedObjectType: 'OWNER', externalOptions: true },
}

/**
 * A program can only move a record forward; an earlier stage is silently ignored unless the stage was cleared before.
 */
export const lifecycleStages = [
  ...['subscriber', 'lead', 'marketingqualifiedlead', 'salesqualifiedlead', 'opportunity', 'customer', 'evangelist'],
  'other',
]

const address = ['phone', 'address', 'city', 'state', 'zip', 'country', 'website', 'hs_object_id']

export function emptyState(credentials: Credentials, portalId: number): SandboxState {
  return {
    portalId,
    credentials,
    nextId: 1001,
    records: newTable(),
    associations: new Set(),
    properties: {
      companies: [
        ...['name', 'domain', 'description', ...address].map((name) => property(name)),
        property('numberofemployees', 'number'),
        ownerProperty,
        property('industry', 'enumeration', ['BANKING', 'FOOD_PRODUCTION', 'TEXTILES']),
        property('lifecyclestage', 'enumeration', lifecycleStages),
        property('createdate', 'datetime'),
      ],
      contacts: [
        ...['firstname', 'lastname', 'email', 'mobilephone', 'company', 'jobtitle', ...address].map((name) =>
          property(name),
        ),
        ownerProperty,
        property('lifecyclestage', 'enumeration', lifecycleStages),
        property('createdate', 'datetime'),
      ],
    },
    groups: { companies: ['information'], contacts: ['information'] },
    groupLabels: {},
    imports: [],
    members: {},
    callsToday: 0,
    callsMax: 250_000,
    ownersLeft: [],
    archived: {},
    withheldScopes: [],
    recordsMax: null,
    propertiesMax: null,
    makesCompanies: false,
    accessTokens: [],
    refreshToken: credentials.firstRefreshToken,
  }
}

export function grantToken(state: SandboxState, rotate: boolean): { accessToken: string; refreshToken: string } {
  const accessToken = `sandbox-access-${randomBytes(18).toString('base64url')}`
  state.accessTokens.push(accessToken)
  if (rotate) state.refreshToken = `sandbox-refresh-${randomBytes(18).toString('base64url')}`
  return { accessToken, refreshToken: state.refreshToken }
}

/** Unique values are compared ignoring case. */
export function findBy(state: SandboxState, object: string, name: string, value: string): StoredRecord | undefined {
  return state.records.find(object, name, value.toLowerCase())[0]
}

function newTable(): RecordTable<StoredRecord> {
  return new RecordTable((record, name) => propertyOf(record, name)?.toLowerCase())
}

/** The state as JSON. */
export function savedState(state: SandboxState): unknown {
  return { ...state, records: state.records.all(), associations: [...state.associations] }
}

/** @param saved from `savedState`. */
export function restoredState(saved: unknown, { credentials, portalId }: SandboxState): SandboxState {
  type Saved = Omit<SandboxState, 'records' | 'associations'> & {
    readonly records?: readonly StoredRecord[]
    readonly associations?: readonly string[]
  }
  const { records, associations, ...rest } = saved as Saved
  const state = { ...emptyState(credentials, portalId), ...rest, associations: new Set(associations) }
  for (const record of records ?? []) state.records.put(record)
  return state
}

/**
 * The merged record has a new id and is found by the previous ones; each property has the winner's value, or the
 * other's if that is empty.
 */
export function mergeRecords(state: SandboxState, loser: string, winner: string): string {
  const [lost, kept] = [state.records.get(loser), state.records.get(winner)]
  if (lost === undefined || kept === undefined) throw new Error('the account holds no such records')
  const before = [lost, kept].flatMap(({ id, properties }) => [id, ...(properties[mergedIds]?.split(';') ?? [])])
  for (const { id } of [lost, kept]) state.records.delete(id)
  const values = { ...lost.properties, ...kept.properties, [mergedIds]: before.join(';') }
  return store(state, kept.object, undefined, values).id
}

const mergedIds = 'hs_merged_object_ids'

/** Also finds a record by an id from before a merge. */
export function findById(state: SandboxState, object: string, id: string): StoredRecord | undefined {
  const found = findBy(state, object, 'hs_object_id', id)
  if (found !== undefined) return found
  return [...state.records.of(object)].find(({ properties }) => properties[mergedIds]?.split(';').includes(id) === true)
}

export function propertyOf(record: StoredRecord, name: string): string | undefined {
  return name === 'hs_object_id' ? record.id : record.properties[name]
}

/** Updates or creates a record; the empty string clears a property, an e-mail is stored in lower case. */
export function store(
  state: SandboxState,
  object: string,
  existing: StoredRecord | undefined,
  values: Readonly<Record<string, string>>,
): StoredRecord {
  const now = new Date().toISOString()
  const record = existing ?? { id: String(state.nextId++), object, properties: {}, createdAt: now, updatedAt: now }
  for (const [name, value] of Object.entries(values)) {
    if (value === '') delete record.properties[name]
    else record.properties[name] = name === 'email' ? value.toLowerCase() : value
  }
  record.updatedAt = now
  return state.records.put(record)
}
