/** `panji alert test` is run at another terminal than the service's: without its environment it tries the service's channels, and leaves them. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { workerIsPresent } from '../../../src/queue/worker-presence.ts'
import { useTestDatabase } from '../../support/database.ts'
import { type PanjiHome, panjiHome } from '../../support/panji-cli.ts'

const database = useTestDatabase()
const homes: PanjiHome[] = []
let heard: string[] = []
const receiver = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    heard.push(request.url ?? '')
    response.end()
  })
})
let address = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
})
afterAll(() => {
  receiver.closeAllConnections()
  receiver.close()
  for (const home of homes) home.remove()
})

function terminal(env: Record<string, string> = {}): PanjiHome {
  const home = panjiHome({
    DATABASE_URL: database.url,
    PANJI_SECRET_KEY: 'secret-key-of-the-alerts-0123456789',
    PANJI_OPERATOR_TOKEN: 'operator-token-of-the-alerts',
    ...env,
  })
  homes.push(home)
  return home
}
const channels = () =>
  database.db.query<{ removed_at: Date | null }>(
    'SELECT channel_id, kind, shown, removed_at FROM runtime.alert_channel ORDER BY kind',
  )

test('a test without a worker goes by the channels that the environment names', async () => {
  heard = []
  const { code, answer } = await terminal({ PANJI_ALERT_URL: `${address}/here` }).json('alert', 'test')
  expect({ code, answer }).toMatchObject({ code: 0, answer: { ok: true, sent: [{ kind: 'webhook', state: 'sent' }] } })
  expect(heard).toEqual(['/here'])
}, 60_000)

test('the list has the members of GET /admin/alerts/channels', async () => {
  const { answer } = await terminal().json('alert', 'list')
  const times = { created_at: expect.any(String), last_sent_at: expect.any(String) }
  const origin = { kind: 'webhook', shown: expect.any(String), origin: 'environment', created_by: expect.any(String) }
  expect(answer).toEqual([{ channel_id: expect.any(String), ...origin, ...times, failed: 0 }])
})

test('beside a service a terminal without its environment tries its channels, and all of them stay as they are', async () => {
  const worker = terminal({ PANJI_ALERT_URL: `${address}/service,slack+${address}/chat` }).run(
    'start',
    '--role',
    'worker',
  )
  await vi.waitFor(async () => expect(await workerIsPresent(database.db)).toBe(true), { timeout: 60_000, interval: 50 })
  expect((await terminal().json('schedule', 'run', 'watch-conditions')).code).toBe(0)
  const isHeld = async () => expect((await channels()).filter(({ removed_at }) => removed_at === null)).toHaveLength(2)
  await vi.waitFor(isHeld, { timeout: 60_000, interval: 100 })
  heard = []
  const before = await channels()
  const { code, answer } = await terminal().json('alert', 'test')
  expect(await channels()).toEqual(before)
  expect({ code, answer }).toMatchObject({
    code: 0,
    answer: { ok: true, sent: [{ state: 'sent' }, { state: 'sent' }] },
  })
  expect(heard.toSorted()).toEqual(['/chat', '/service'])
  worker.child.kill('SIGINT')
  await worker.ended
}, 180_000)
