/** What a quote says is what the order charges and what its leads show, whatever the contacts of its records are. */
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { setExcludesPreferences } from '../../../src/access/contact-rules.ts'
import { buildLeads } from '../../../src/leads/build-leads.ts'
import { readLeads } from '../../../src/leads/read-leads.ts'
import { creditBalance, refundItems } from '../../../src/orders/ledger.ts'
import { placeOrder } from '../../../src/orders/place-order.ts'
import { quoteOrder } from '../../../src/orders/quote-order.ts'
import { buildMatcherFor } from '../../../src/standing/matcher.ts'
import { useTestDatabase } from '../../support/database.ts'
import { draws } from '../../support/figures.ts'
import { useOrderApi } from './api.ts'
import {
  cinOf,
  createAccount,
  gstinOf,
  insertCompany,
  insertContact,
  insertDirector,
  insertGst,
  insertRow,
  useTestQueue,
} from './world.ts'

const database = useTestDatabase()
const jobs = useTestQueue(() => database.urlAs('panji_worker'))
const api = useOrderApi(database)

type Item = { readonly type: 'company' | 'director' | 'gst'; readonly identifier: string }

/** Of every type a record of each combination of contacts: none, and each of those below alone and with each other. */
const kinds = [
  'email',
  'mobile',
  'landline',
  'askedEmail',
  'askedMobile',
  'agreedEmail',
  'objectedEmail',
  'objectedMobile',
  'ownEmail',
] as const
const records: Item[] = []

beforeAll(async () => {
  const { db } = database
  const told = { first_run_id: 1, last_run_id: 1, as_of: '2026-06-01' }
  const prefer = (value: string, preference: string, stated_on: string) =>
    insertRow(db, 'registry.contact_preference', {
      id: `${value}|${preference}`,
      value,
      preference,
      list: preference,
      stated_on,
      ...told,
    })
  const objected: [string, string][] = []
  let serial = 0
  const combinations = [
    [],
    ...kinds.map((kind) => [kind]),
    ...kinds.flatMap((one, at) => kinds.slice(at + 1).map((other) => [one, other])),
  ]
  for (const combination of combinations) {
    serial += 1
    const type = (['gst', 'company', 'director'] as const)[serial % 3] ?? 'gst'
    const identifier =
      type === 'gst' ? gstinOf(serial) : type === 'company' ? cinOf(serial) : String(serial).padStart(8, '0')
    const has = new Set<string>(combination)
    const mail = (kind: string) => `${kind.toLowerCase()}${serial}@example.in`
    const mobile = (digit: number) => `+9198${digit}${String(serial).padStart(7, '0')}`
    const emails = ['email', 'askedEmail', 'agreedEmail', 'objectedEmail'].filter((kind) => has.has(kind)).map(mail)
    const mobiles = [
      ['mobile', 1],
      ['askedMobile', 2],
      ['objectedMobile', 3],
    ].flatMap(([kind, digit]) => (has.has(String(kind)) ? [mobile(Number(digit))] : []))
    if (type === 'gst') await insertGst(db, identifier)
    if (type === 'company') await insertCompany(db, identifier, has.has('ownEmail') ? { email: mail('own') } : {})
    if (type === 'director') await insertDirector(db, identifier)
    await insertContact(db, type, identifier, {
      emails,
      mobiles,
      landlines: has.has('landline') ? [`+9122${serial + 20_000_000}`] : [],
    })
    if (has.has('askedEmail')) await prefer(mail('askedEmail'), 'do_not_contact', '2026-01-01')
    if (has.has('askedMobile')) await prefer(mobile(2), 'do_not_contact', '2026-01-01')
    if (has.has('agreedEmail')) {
      await prefer(mail('agreedEmail'), 'do_not_contact', '2026-01-01')
      await prefer(mail('agreedEmail'), 'consent', '2026-02-01')
    }
    if (has.has('objectedEmail')) objected.push(['email', mail('objectedEmail')])
    if (has.has('objectedMobile')) objected.push(['mobile', mobile(3)])
    records.push({ type, identifier })
  }
  await db.execute(
    `INSERT INTO access.suppression (kind, hash, key_id, created_by)
     SELECT kind, access.suppression_hash(kind, value), access.suppression_key_id(), 'test'
     FROM unnest($1::text[], $2::text[]) AS given (kind, value)`,
    [objected.map(([kind]) => kind), objected.map(([, value]) => value)],
  )
})

async function bought(accountId: string, items: readonly Item[]): Promise<string> {
  const { orderId } = await placeOrder(
    database.as('panji_api'),
    jobs.queue,
    { onlineLabel: 'online' },
    {
      ...{ accountId, orderName: 'P', paymentOption: 'credits' },
      items: items.map(({ type, identifier }) => ({ type, name: 'X', number: identifier })),
    },
  )
  await buildLeads(database.as('panji_worker'), { orderId, leadSource: 'Panji', refund: refundItems })
  return orderId
}

const someRecords = (max: number) => fc.uniqueArray(fc.nat({ max: 45 }), { minLength: 1, maxLength: max })

test('what a quote says is what the order charges, and who it counts as reachable is whom the leads reach', async () => {
  await fc.assert(
    fc.asyncProperty(someRecords(4), someRecords(20), fc.boolean(), async (before, now, excludes) => {
      const { db } = database
      const accountId = await createAccount(db, 100)
      await db.execute(
        'UPDATE access.account SET excludes_preferences = $2, is_enterprise = true WHERE account_id = $1',
        [accountId, excludes],
      )
      const pick = (places: readonly number[]) => places.flatMap((place) => records[place] ?? [])
      await bought(accountId, pick(before))
      const items = pick(now)
      const quote = await quoteOrder(database.as('panji_api'), accountId, items)
      const balance = await creditBalance(db, accountId)
      expect(quote.credit_balance).toBe(balance)
      const orderId = await bought(accountId, items)
      expect(balance - (await creditBalance(db, accountId))).toBe(quote.credits_needed)
      const leads = await readLeads(db, orderId)
      const [placed] = await db.query<{ held: number; contacts: number }>(
        `SELECT count(*) FILTER (WHERE NOT already_owned) AS held, count(*) FILTER (WHERE has_contact) AS contacts
         FROM orders.item WHERE order_id = $1`,
        [orderId],
      )
      const sum = (of: (told: (typeof quote.types)[number]) => number) =>
        quote.types.reduce((all, told) => all + of(told), 0)
      expect(placed?.held).toBe(quote.credits_held)
      expect(placed?.contacts).toBe(sum(({ reachable }) => reachable))
      expect(leads).toHaveLength(sum(({ reachable }) => reachable))
      const reached = (kind: string) =>
        leads.filter(({ fullData }) => fullData.contacts?.some((way) => way['kind'] === kind)).length
      expect(reached('email')).toBe(sum(({ by_email }) => by_email))
      expect(reached('mobile')).toBe(sum(({ by_mobile }) => by_mobile))
      expect(sum(({ reachable, suppressed }) => reachable + suppressed)).toBeLessThanOrEqual(items.length)
    }),
    { numRuns: draws(15) },
  )
})

test('a record whose contacts all objected, or are excluded by the account, is reported as suppressed', async () => {
  const { db } = database
  const accountId = await createAccount(db, 100)
  const [none = '', ...each] = records.slice(0, 10).map(({ identifier }) => identifier)
  const suppressed = async (identifier: string) => {
    const items = records.filter((record) => record.identifier === identifier)
    const { types } = await quoteOrder(database.as('panji_api'), accountId, items)
    return types[0]?.suppressed
  }
  const [asked = '', objected = ''] = [each[3] ?? '', each[6] ?? '']
  expect(await suppressed(none)).toBe(0)
  expect(await suppressed(objected)).toBe(1)
  expect(await suppressed(asked)).toBe(0)
  const rules = '/api/users/me/contact-rules'
  expect((await api.get(accountId, rules)).json()).toEqual({ exclude_do_not_contact: false })
  await setExcludesPreferences(database.as('panji_api'), accountId, true)
  expect((await api.get(accountId, rules)).json()).toEqual({ exclude_do_not_contact: true })
  expect(await suppressed(asked)).toBe(1)
  expect(await suppressed(objected)).toBe(1)
})

/** Records that a standing order of the account would match in a worker, which acts for no account. */
async function matches(accountId: string, type: 'company' | 'gst', way: 'email' | 'mobile'): Promise<number> {
  const db = database.as('panji_worker')
  const order = {
    ...({ accountId, type, source: 'screener', query: null, screenerId: null, watchlistId: null } as const),
    ...{ hasEmail: way === 'email', hasMobile: way === 'mobile', activeOnly: false },
  }
  const { condition, values } = await buildMatcherFor(db, order)
  const [found] = await db.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM registry.${type === 'gst' ? 'gst_taxpayer' : type} r WHERE ${condition}`,
    values,
  )
  return found?.total ?? 0
}

test('filters, searches and standing orders find by e-mail and by mobile exactly those that a quote counts as reachable so', async () => {
  const { db } = database
  for (const excludes of [false, true]) {
    const accountId = await createAccount(db, 1)
    await setExcludesPreferences(database.as('panji_api'), accountId, excludes)
    const { types } = await quoteOrder(database.as('panji_api'), accountId, records)
    const filters = { company: 'company/company-filter', gst: 'gst/gst-filter', director: 'company/director-filter' }
    for (const [type, path] of Object.entries(filters)) {
      const total = async (query: string): Promise<number> => {
        const answer = await api.get(accountId, `/api/${path}?${query}`)
        expect(answer.statusCode).toBe(200)
        return Number(answer.headers['x-total-count'] ?? answer.json().total_results)
      }
      const quoted = types.find((each) => each.type === type)
      const all = quoted?.exist ?? 0
      expect([type, await total('has_email=true'), await total('hasMobile=Yes')]).toEqual([
        ...[type, quoted?.by_email, quoted?.by_mobile],
      ])
      expect(await total('has_email=false')).toBe(all - (quoted?.by_email ?? 0))
      if (type !== 'company' && type !== 'gst') continue
      const hits = async (query: string): Promise<number> =>
        (await api.post(accountId, '/api/screener/search', { type, query })).json().total
      expect([type, await hits('has_email'), await hits('has_mobile == false')]).toEqual([
        ...[type, quoted?.by_email, all - (quoted?.by_mobile ?? 0)],
      ])
      expect([type, await matches(accountId, type, 'email'), await matches(accountId, type, 'mobile')]).toEqual([
        ...[type, quoted?.by_email, quoted?.by_mobile],
      ])
    }
  }
})
