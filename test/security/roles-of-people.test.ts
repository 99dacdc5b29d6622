/** What each role of an account opens: every operation of the document is asked by a viewer, a buyer and an admin. */
import { beforeAll, expect, test } from 'vitest'
import { exampleIds } from '../../src/api/example-records.ts'
import { operations as declared } from '../../src/api/operations/index.ts'
import { type AccountRole, accountRoles } from '../../src/domain/account-role.ts'
import { logInCustomer, newCustomer, useApi } from '../support/api.ts'
import { useTestDatabase } from '../support/database.ts'
import { addFactor, invited, newPerson, type SignedIn } from '../support/person.ts'

const database = useTestDatabase()
const api = useApi(database)
const signedIn = new Map<AccountRole, SignedIn>()
let roleBefore: Readonly<Record<string, string>>

beforeAll(async () => {
  const { accountId } = await newCustomer(api, database)
  for (const role of accountRoles) signedIn.set(role, await newPerson(api, database, accountId, role))
  roleBefore = await rolesNow()
})

const ofAccounts = declared.filter(
  ({ path, caller }) => (path.startsWith('/api/') || path.startsWith('/app/')) && caller !== 'public',
)

/** What only admins do: keys, money, destinations, whom the account tells of what, people. */
const ofAdmins = [
  ...['createKey', 'revokeKey', 'eraseAccount', 'invitePerson', 'changeRole', 'removePerson'],
  ...['resetSecondFactor', 'setTeamRules'],
  ...[
    'setBillingDetails',
    'purchaseCredits',
    'buyPlan',
    'buyOffer',
    'activateOffer',
    'cancelSubscription',
    'renewSubscription',
  ],
  ...['setContactRules', 'putMails', 'createWebhook', 'updateWebhook', 'deleteWebhook', 'putMapping'],
  ...['createDestination', 'updateDestination', 'deleteDestination', 'pauseDestination', 'resumeDestination'],
  ...['beginConnect', 'finishConnect'],
]
/** What buyers and admins do: orders, deliveries, lists. */
const ofBuyers = [
  ...['createWatchlist', 'renameWatchlist', 'deleteWatchlist', 'addWatchlistEntities', 'removeWatchlistEntity'],
  ...['createScreener', 'updateScreener', 'deleteScreener'],
  ...['quoteOrder', 'createOrder', 'createLead', 'cancelOrder', 'reclaimOrder', 'disputeItem'],
  ...['createStandingOrder', 'changeStandingOrder', 'endStandingOrder', 'pauseStandingOrder', 'pauseStandingOrders'],
  ...['resumeStandingOrder', 'approveStandingRun', 'skipStandingRun'],
  ...['planPush', 'pushOrder', 'planResend', 'resend', 'fixDeliveries', 'retryDelivery', 'retryDeliveries'],
  ...['testDestination', 'previewMapping', 'sendTestRow', 'testWebhook', 'replayEvent'],
]
/** What a viewer does that is no GET: readings whose question is long, and what is theirs alone, session and second factor. */
const ofViewers = [
  ...[
    'searchScreener',
    'runScreener',
    'explainQuery',
    'readPhrase',
    'readTerms',
    'countFacets',
    'previewStandingDraft',
    'exportOrders',
    'openDeliverySandbox',
  ],
  ...['listRecentCompanies', 'listRecentDirectors', 'listRecentGstRegistrations', 'endSession'],
  ...['beginSecondFactor', 'confirmSecondFactor', 'removeSecondFactor'],
]

/** A body of no shape and ids of nobody: whoever is let in is told so, and nothing happens. */
async function isLetIn(role: AccountRole, operation: (typeof ofAccounts)[number]): Promise<boolean> {
  const url = operation.path.replace(/:(\w+)/g, (_, name) =>
    name === 'prefix' ? exampleIds.keyPrefix : exampleIds.account,
  )
  const payload = operation.body ? { unknown_member: true } : undefined
  const answer = await signedIn.get(role)?.call(operation.method, url, payload)
  const isRefused = answer?.statusCode === 403 && answer.json<{ error_code: string }>().error_code === 'ROLE_MISSING'
  if (isRefused) expect(answer.json()).toMatchObject({ needed_role: expect.stringMatching(/^(buyer|admin)$/) })
  return !isRefused
}

const rolesNow = async () =>
  Object.fromEntries(
    (await database.db.query<{ id: string; role: string }>('SELECT person_id AS id, role FROM access.person')).map(
      ({ id, role }) => [id, role],
    ),
  )

test('a viewer reads, a buyer also orders, delivers and keeps lists, an admin does everything, operation by operation', async () => {
  const leaving = ['signOutOfApp', 'logOut']
  const opened: Record<string, AccountRole[]> = {}
  for (const operation of ofAccounts.filter(({ id }) => !leaving.includes(id))) {
    const roles: AccountRole[] = []
    for (const role of accountRoles) if (await isLetIn(role, operation)) roles.push(role)
    opened[operation.id] = roles
  }
  const namesOf = (...roles: AccountRole[]) =>
    Object.keys(opened)
      .filter((id) => opened[id]?.join() === roles.join())
      .toSorted()
  expect(namesOf('admin')).toEqual(ofAdmins.toSorted())
  expect(namesOf('buyer', 'admin')).toEqual(ofBuyers.toSorted())
  // Nobody is let in whom a higher role is not.
  expect(namesOf('admin').length + namesOf('buyer', 'admin').length + namesOf('viewer', 'buyer', 'admin').length).toBe(
    Object.keys(opened).length,
  )
  const changing = ofAccounts
    .filter(({ id, method }) => opened[id]?.[0] === 'viewer' && method !== 'GET')
    .map(({ id }) => id)
  expect(changing.toSorted()).toEqual(ofViewers.toSorted())
  expect(await rolesNow()).toEqual(roleBefore)
})

test('a session that an API key opened is asked for its scopes alone, as before there were people', async () => {
  const { token } = await newCustomer(api, database)
  expect((await api.get('/api/team', token)).statusCode).toBe(200)
  const invited = await api.post('/api/team', token, { email: 'asked-by-a-key@example.com', role: 'viewer' })
  expect([invited.statusCode, invited.json().invited_by]).toEqual([201, null])
})

const send = (method: 'PATCH' | 'PUT' | 'DELETE', url: string, token: string, payload?: object) =>
  api.app.inject({ method, url, headers: { authorization: `Bearer ${token}` }, ...(payload && { payload }) })

test('a key lets nobody in, changes nobody and ends no session of who may do more than itself', async () => {
  const { accountId, token } = await newCustomer(api, database)
  const keyOf = async (scopes: string[]) => {
    const { api_key: apiKey } = (await api.post('/api/keys', token, { scopes })).json<{ api_key: string }>()
    return (await logInCustomer(api, { accountId, apiKey })).token
  }
  const few = await keyOf(['read', 'keys'])
  const [admin, viewer] = [
    await newPerson(api, database, accountId, 'admin'),
    await newPerson(api, database, accountId, 'viewer'),
  ]
  await addFactor(database, admin.personId)
  const waiting = await invited(database, accountId, 'admin')
  const people = () => api.get('/api/team', token).then((answer) => answer.json().data)
  const before = await people()
  const [ofAdmin, ofViewer] = [`/api/team/${admin.personId}`, `/api/team/${viewer.personId}`]
  const refused = [
    await api.post('/api/team', few, { email: 'accomplice@example.com', role: 'admin' }),
    await api.post('/api/team', few, { email: 'accomplice@example.com', role: 'buyer' }),
    await api.post('/api/team', few, { email: waiting.email, role: 'viewer' }),
    await send('PATCH', ofViewer, few, { role: 'buyer' }),
    await send('PATCH', ofAdmin, few, { role: 'viewer' }),
    await send('DELETE', ofAdmin, few),
    await send('DELETE', `${ofAdmin}/second-factor`, few),
    await send('PUT', '/api/team/rules', few, { second_factor_required: true }),
  ]
  expect(refused.map((answer) => [answer.statusCode, answer.json().error_code])).toEqual(
    refused.map(() => [403, 'SCOPE_MISSING']),
  )
  expect(refused[0]?.json().missing_scopes).toEqual(['write', 'order', 'deliver'])
  expect(await people()).toEqual(before)

  expect((await send('PUT', '/api/team/rules', token, { second_factor_required: false })).statusCode).toBe(200)

  // What it may do itself it lets others do, too.
  expect((await api.post('/api/team', few, { email: 'reader@example.com', role: 'viewer' })).statusCode).toBe(201)

  // Who became an admin after the sign-in has the session of an admin.
  const { data } = (await viewer.call('GET', '/api/sessions')).json<{
    data: { session_id: string; current: boolean }[]
  }>()
  const session = data.find(({ current }) => current)?.session_id ?? ''
  expect((await send('PATCH', ofViewer, token, { role: 'admin' })).statusCode).toBe(200)
  expect((await send('DELETE', `/api/sessions/${session}`, few)).json().error_code).toBe('SCOPE_MISSING')
  expect((await viewer.call('GET', '/api/team')).statusCode).toBe(200)
})
