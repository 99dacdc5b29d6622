/**
 * The whole main job as its users see it: `panji start` of the sample world, the printed line, an order over HTTP,
 * its leads in both sandbox CRMs, a second push, a clean stop and a second start. On an empty folder begins
 * quickstart.test.ts.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPanjiClient, dataOf } from '../../client/index.ts'
import { leadColumns } from '../../config/lead-columns.ts'
import { openDb } from '../../src/db/db.ts'
import { panjiHome } from '../support/panji-cli.ts'
import type { NodeProcess } from '../support/run-node.ts'
import { laySampleWorld } from '../support/sample-world.ts'
import { isPrinted } from '../support/typed-document.ts'

const home = panjiHome()
let panji: NodeProcess
let apiUrl: string
let controlUrl: string
let controlToken: string
let banner: string

async function startPanji(): Promise<void> {
  panji = home.run('start')
  await panji.line('Ctrl-C stops.')
  banner = panji.printed()
  apiUrl = /API\s+(http:\S+)/.exec(banner)?.[1] ?? ''
  controlUrl = /Sandbox CRMs\s+(http:\S+)/.exec(banner)?.[1] ?? ''
  controlToken = /Sandbox token\s+(\S+)/.exec(banner)?.[1] ?? ''
}
const control = async (path: string) =>
  (await fetch(`${controlUrl}${path}`, { headers: { authorization: `Bearer ${controlToken}` } })).json()

const clientOf = (apiKey: string) => createPanjiClient({ baseUrl: apiUrl, apiKey })
const printedKey = () => /panji_\w{43}/.exec(banner)?.[0] ?? ''

const sandboxRecords = async (crm: string) => (await control(`/records?crm=${crm}`)) as unknown[]

const writesTo = async (crm: string) =>
  ((await control(`/calls?crm=${crm}`)) as { method: string; path: string }[]).filter(
    ({ method, path }) => /PATCH|DELETE/.test(method) || /batch\/upsert|sobjects\/Lead$/.test(path),
  )

beforeAll(async () => {
  await laySampleWorld(home.dataDir)
  await startPanji()
}, 300_000)
afterAll(async () => {
  panji.child.kill('SIGKILL')
  await panji.ended
  home.remove()
})

test('the printed curl line answers with tokens', async () => {
  const [, url = '', body = ''] = /^curl -s -X POST '(\S+)' .* -d '(.*)'$/m.exec(banner) ?? []
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ success: true, token: { token_type: 'bearer' } })
})

test('the sample order lies in every sandbox CRM, one record per lead', async () => {
  // Six items were ordered; the one without contact data became no lead.
  expect(await sandboxRecords('salesforce')).toHaveLength(5)
  expect(await sandboxRecords('hubspot')).toHaveLength(5)
  expect(await sandboxRecords('zoho')).toHaveLength(5)
})

test('requests, jobs and the queue work as roles of their own, none of them the superuser', async () => {
  const instance = JSON.parse(readFileSync(join(home.dataDir, 'instance.json'), 'utf8')) as { databaseUrl: string }
  const db = openDb({ connectionString: instance.databaseUrl, applicationName: 'story', connectionsMax: 1 })
  try {
    const sessions = await db.query<{ pool: string; login: string }>(
      `SELECT DISTINCT substring(application_name FROM '[a-z]+$') AS pool, usename::text AS login FROM pg_stat_activity
       WHERE application_name ~ '^panji:[0-9]+:(api|expensive|ready|queue)$' ORDER BY 1`,
    )
    expect(sessions).toContainEqual({ pool: 'api', login: 'panji_api' })
    expect(sessions).toContainEqual({ pool: 'queue', login: 'panji_worker' })
    expect(sessions.filter(({ login }) => !/^panji_(api|worker)$/.test(login))).toEqual([])
    const [worker] = await db.query(
      `SELECT usename::text AS login FROM pg_locks JOIN pg_stat_activity USING (pid)
       WHERE locktype = 'advisory' AND mode = 'ShareLock' AND granted AND objid = $1`,
      [0x776f726b],
    )
    expect(worker).toEqual({ login: 'panji_worker' })
  } finally {
    await db.close()
  }
})

test('an order of three GST records goes from the API into every CRM, and pushing again writes nothing', async () => {
  const created = await home.json('account', 'create', '--email', 'buyer@example.com', '--credits', '10')
  const { user_id: userId, api_key: apiKey } = created.answer as { user_id: string; api_key: string }
  const panjiApi = clientOf(apiKey)
  const items = await gstItems()

  const order = dataOf(
    await panjiApi.POST('/api/orders/normal', { body: { orderName: 'Three', paymentOption: 'credits', items } }),
  )
  expect(order).toMatchObject({ status: 'completed', payment_status: 'paid', items_count: 3, total_amount: 3 })
  const { credits } = dataOf(await panjiApi.GET('/api/access'))
  expect(credits).toMatchObject([{ balance: 8, used_credits: 2, total_credits: 10 }])

  const path = { order_id: order._id }
  const { leads } = dataOf(await panjiApi.GET('/api/crm/orders/{order_id}/leads', { params: { path } }))
  expect(leads).toHaveLength(2)
  for (const row of leads) expect(Object.keys(row)).toEqual(leadColumns.gst.map((column) => column.name))

  const settings = (await home.json('destination', 'list', await demoUser())).answer as {
    destination_id: string
    type: string
  }[]
  expect(settings.map((each) => each.type).sort()).toEqual(['hubspot', 'salesforce', 'zoho'])
  for (const crm of ['salesforce', 'hubspot', 'zoho']) {
    const before = (await sandboxRecords(crm)).length
    const file = join(home.dataDir, `${crm}.json`)
    writeFileSync(file, JSON.stringify(await sandboxSettings(crm)))
    const added = await home.json('destination', 'add', userId, '--type', crm, '--name', crm, '--settings', file)
    expect(added.code, added.stderr).toBe(0)
    const { destination_id: destination } = added.answer as { destination_id: string }
    const first = await home.json('push', order._id, '--destination', destination)
    expect(first.answer).toMatchObject({ created: 2, updated: 0, unchanged: 0, rejected: 0, pending: 0, unknown: 0 })
    expect(await sandboxRecords(crm)).toHaveLength(before + 2)

    const writes = (await writesTo(crm)).length
    const second = await home.json('push', order._id, '--destination', destination)
    expect(second.answer).toMatchObject({ created: 0, updated: 0, unchanged: 2, rejected: 0 })
    expect(await writesTo(crm)).toHaveLength(writes)
  }
}, 180_000)

test('Ctrl-C stops cleanly and the next start finds everything again', async () => {
  const key = printedKey()
  panji.child.kill('SIGINT')
  expect((await panji.ended).code).toBe(0)
  await startPanji()
  expect(banner).toContain(key)
  expect((await clientOf(key).GET('/api/auth/validate')).data?.valid).toBe(true)
  expect(await sandboxRecords('salesforce')).toHaveLength(7)
})

/** Two registrations with contact data and one without, straight from the instance's database. */
async function gstItems(): Promise<{ type: 'gst'; name: string; number: string }[]> {
  const instance = JSON.parse(readFileSync(join(home.dataDir, 'instance.json'), 'utf8')) as { databaseUrl: string }
  const db = openDb({ connectionString: instance.databaseUrl, applicationName: 'story' })
  try {
    return await db.query(
      `(SELECT 'gst' AS type, legal_name AS name, gstin AS number FROM registry.gst_taxpayer t
          WHERE EXISTS (SELECT FROM registry.contact c WHERE (c.entity, c.identifier) = ('gst', t.gstin)) ORDER BY gstin DESC LIMIT 2)
       UNION ALL
       (SELECT 'gst', legal_name, gstin FROM registry.gst_taxpayer t
          WHERE NOT EXISTS (SELECT FROM registry.contact c WHERE (c.entity, c.identifier) = ('gst', t.gstin)) ORDER BY gstin DESC LIMIT 1)`,
    )
  } finally {
    await db.close()
  }
}

const sandboxSettings = (crm: string) => control(`/settings?crm=${crm}`)

async function demoUser(): Promise<string> {
  return dataOf(await clientOf(printedKey()).GET('/api/users/me')).user_id
}

test('what is printed is what the README shows of it', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const shown = /```text\n(Panji is ready.*?)```/s.exec(readme)?.[1] ?? ''
  // The ports are those that were free here.
  expect(isPrinted(banner, `…\n${shown.replaceAll(/:808[01]\b/g, ':…')}…`), `${banner}\n${shown}`).toBe(true)
})

test('every address that is printed is a page, and so is what the reader gets by leaving out its path', async () => {
  const links = [...banner.matchAll(/^ {2}(?:API|Reference page|Sandbox CRMs)\s+(http:\S+)/gm)].map(
    ([, url = '']) => url,
  )
  expect(links).toHaveLength(3)
  for (const url of [...links, new URL('/', controlUrl).href]) {
    const page = await fetch(url, { headers: { accept: 'text/html' } })
    expect(page.status, url).toBe(200)
    expect(page.headers.get('content-type'), url).toContain('text/html')
  }
})
