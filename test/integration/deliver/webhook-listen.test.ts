/** `panji webhook test` and `listen`: one sends an event and says what came back, the other is the receiver that verifies it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { events } from '../../../src/notify/event-types.ts'
import { addWebhook } from '../../../src/notify/webhooks/webhooks.ts'
import { secretKey } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { freePort } from '../../support/free-port.ts'
import { panjiProgram, runPanji } from '../../support/panji-program.ts'
import { insertAccount } from './paid-order.ts'

const database = useTestDatabase()
const dataDir = mkdtempSync(join(tmpdir(), 'panji-listen-'))
afterAll(() => rmSync(dataDir, { recursive: true }))
const env = {
  ...{ DATABASE_URL: '', PANJI_SECRET_KEY: secretKey.reveal(), PANJI_DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
  PANJI_ALLOW_PRIVATE_SOURCES: 'true',
}
const withDatabase = () => ({ ...env, DATABASE_URL: database.url })

/** Runs the receiver while `work` does, and returns what it printed. */
async function whileListening(parameters: readonly string[], port: number, work: () => Promise<void>): Promise<string> {
  const stop = new AbortController()
  const listening = runPanji(['webhook', 'listen', ...parameters, '--port', String(port)], withDatabase(), stop.signal)
  await answers(port)
  try {
    await work()
  } finally {
    stop.abort()
  }
  const { code, stdout } = await listening
  expect(code).toBe(0)
  return stdout
}

async function answers(port: number): Promise<void> {
  for (;;) {
    const reply = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
    if (reply) return expect(reply.status).toBe(405)
    await delay(20)
  }
}

async function webhookAt(port: number) {
  const accountId = await insertAccount(database.db)
  return addWebhook(database.db, secretKey, { accountId, url: `http://127.0.0.1:${port}/`, allowPrivate: true })
}

test('an event that is sent by one is printed as genuine by the other, and a forged one as refused', async () => {
  const port = await freePort()
  const webhook = await webhookAt(port)
  const printed = await whileListening([webhook.webhook_id, '--json'], port, async () => {
    const sent = await panjiProgram(withDatabase()).json('webhook', 'test', webhook.webhook_id, '--type', 'credits.low')
    expect(sent).toMatchObject({ code: 0, answer: { ok: true, status: 204, error: null, ms: expect.any(Number) } })
    const headers = { 'webhook-id': 'x', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AA==' }
    expect((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: '{}' })).status).toBe(400)
  })
  const lines = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines).toMatchObject([
    { verified: true, fault: null },
    { verified: false, fault: 'its webhook-timestamp is not of the last five minutes', event_id: 'x' },
  ])
  expect(JSON.parse(lines[0].body)).toMatchObject({
    ...{ type: 'credits.low', test: true, data: events['credits.low'].example },
  })
})

test('a receiver with another secret refuses the event, and the sender says so and fails', async () => {
  const port = await freePort()
  const webhook = await webhookAt(port)
  const file = join(dataDir, 'secret')
  writeFileSync(file, `whsec_${Buffer.alloc(32).toString('base64')}\n`)
  const printed = await whileListening(['--secret-file', file], port, async () => {
    const { code, stdout } = await panjiProgram(withDatabase()).run('webhook', 'test', webhook.webhook_id)
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^Answered 400, after \d+ ms\. Event [\w-]+\.\n$/)])
  })
  expect(printed).toMatch(
    /REFUSED: its signature is not that of this secret over this body\n\{\n {2}"type": "order.delivered"/,
  )
})

test('without a webhook or a secret there is nothing to verify with', async () => {
  for (const parameters of [[], ['some-id', '--secret-file', 'x']]) {
    const { code, stderr } = await runPanji(['webhook', 'listen', ...parameters], env)
    expect([code, stderr]).toEqual([2, expect.stringContaining('Name a webhook of this instance, or --secret-file')])
  }
  const { code, stderr } = await runPanji(['webhook', 'listen', '--secret-file', join(dataDir, 'none')], env)
  expect([code, stderr]).toEqual([1, expect.stringContaining('cannot be read: there is no such file or folder')])
})
