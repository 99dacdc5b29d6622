/**
 * The callers of a fuzz run: four accounts, two of which may lose what they have, and operators of each role; and the
 * ids of existing things.
 */
import { randomUUID } from 'node:crypto'
import { offers } from '../../../config/sales.ts'
import { indianDayOf } from '../../../src/domain/iso-date.ts'
import type { OperatorRole } from '../../../src/domain/operator-role.ts'
import { createCustomer, type LoggedIn, logInCustomer, newCustomer, operatorToken, type TestApi } from '../api.ts'
import {
  addCredits,
  appliedRun,
  finishedRun,
  known,
  openFeeds,
  paidOrder,
  pendingOrder,
  waitingRun,
  waitingStanding,
} from '../api-world.ts'
import type { TestDatabase } from '../database.ts'
import { invited } from '../person.ts'
import type { LivingIds } from '../request-arbitrary.ts'

export interface FuzzCustomer extends LoggedIn {
  /** Part of the e-mail address and of each name that the account gives: no answer to anybody else may contain it. */
  readonly mark: string
}

export interface Callers {
  readonly customers: readonly FuzzCustomer[]
  /** Calls that end an account use this one. */
  readonly doomed: LoggedIn
  /** Logs out. */
  readonly leaver: LoggedIn
  readonly operators: readonly string[]
}

/** The owner is the environment's operator, who creates all others. */
const madeRoles: readonly OperatorRole[] = ['accountant', 'viewer', 'operator']
let operatorsMade = 0

export async function callersOf(server: TestApi, database: TestDatabase, doomedEmail?: string): Promise<Callers> {
  const customers: FuzzCustomer[] = []
  for (let count = 0; count < 4; count++) {
    const mark = randomUUID()
    const customer = await newCustomer(server, database, {
      email: `${mark}@example.com`,
      plan: 'premium',
      isEnterprise: true,
    })
    await openFeeds(database.db, customer.accountId)
    await addCredits(database.db, customer.accountId, 1_000_000)
    customers.push({ ...customer, mark })
  }
  const doomed = await newCustomer(server, database, doomedEmail === undefined ? {} : { email: doomedEmail })
  // Most calls come from the owner, who may do everything.
  const operators = Array.from({ length: 5 }, () => operatorToken)
  for (const role of madeRoles) {
    const made = await server.post('/admin/operators', operatorToken, { name: `fuzz-${role}-${++operatorsMade}`, role })
    operators.push(String(made.json().token))
  }
  return { customers, doomed, leaver: await newCustomer(server, database), operators }
}

/** For these, what a path names belongs to the owner only. */
export const ownedSegments = [
  'watchlist',
  'screeners',
  'orders',
  'keys',
  'sessions',
  'standing-orders',
  'team',
] as const

/** Of the first customer. Created again for every batch, since the previous one changed and deleted its own. */
export async function livingIds(
  api: TestApi,
  database: TestDatabase,
  { customers, doomed }: Callers,
): Promise<LivingIds> {
  const { db } = database
  const [owner] = customers
  if (!owner) throw new Error('nobody owns anything')
  const name = `Goa ${owner.mark}`
  const screener = { name, type: 'company', query: "State == 'Goa'" }
  const screeners = await Promise.all([1, 2].map(() => api.post('/api/screener/screeners', owner.token, screener)))
  const watchlist = { name, watchlist_type: 'company', entities: [{ identifier: known.cin, name: 'A' }] }
  const watchlists = await Promise.all([1, 2].map(() => api.post('/api/watchlist', owner.token, watchlist)))
  // An account may hold only so many active keys; those of the previous batch are revoked.
  await db.execute('UPDATE access.api_key SET revoked_at = now() WHERE last_used_at IS NULL')
  const customer = await createCustomer(db)
  // The same limit exists for people.
  await db.execute('UPDATE access.person SET removed_at = now() WHERE joined_at IS NULL')
  const key = await api.post('/api/keys', owner.token, {})
  await logInCustomer(api, owner)
  const sessions = await api.get('/api/sessions', owner.token)
  const operator = `operator-${++operatorsMade}`
  await api.post('/admin/operators', operatorToken, { name: operator, role: 'viewer' })
  await api.post('/admin/schedules', operatorToken, { name: 'nightly', cron: '30 2 * * *', job: 'collect-words' })
  return {
    schedules: ['nightly'],
    months: [indianDayOf(new Date()).slice(0, 7)],
    sources: ['mca-companies', 'gst', 'mca-directors'],
    keys: [String(key.json().prefix)],
    sessions: [String(sessions.json().data[0].session_id)],
    operators: [operator],
    team: [
      (await invited(database, owner.accountId, 'buyer')).personId,
      (await invited(database, owner.accountId, 'viewer')).personId,
    ],
    watchlist: watchlists.map((reply) => String(reply.json().data.id)),
    runs: [
      await finishedRun(db),
      await appliedRun(db),
      await waitingRun(db),
      await waitingRun(db),
      await waitingRun(db),
    ],
    screeners: screeners.map((reply) => String(reply.json().data.id)),
    orders: [await paidOrder(db, api, owner), await pendingOrder(db, owner.accountId)],
    'standing-orders': [await waitingStanding(db, owner.accountId)],
    // The doomed account may already have erased itself.
    users: [doomed.accountId, customer.accountId],
    offers: offers.map(({ id }) => id),
  }
}
