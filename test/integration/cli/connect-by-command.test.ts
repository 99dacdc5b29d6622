/** A CRM that is connected at its own sign-in page by a command gets the terms that the command names. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectors } from '../../../connectors/index.ts'
import { createSalesforceSandbox } from '../../../sandboxes/salesforce/sandbox.ts'
import { type RunningSandboxes, startSandboxes } from '../../../sandboxes/server.ts'
import { answerConsent } from '../../../src/deliver/connect/answer-consent.ts'
import { Secret } from '../../../src/domain/secret.ts'
import { useTestDatabase } from '../../support/database.ts'
import { panjiHome } from '../../support/panji-cli.ts'
import { panjiProgram } from '../../support/panji-program.ts'

const publicUrl = 'https://panji.example.in'
const secretKey = 'secret-key-of-a-connection-0123456789'
const database = useTestDatabase()
const home = panjiHome()
const settings = join(home.dataDir, 'settings.json')
let server: RunningSandboxes
beforeAll(async () => {
  server = await startSandboxes([createSalesforceSandbox()], { port: 0 })
  writeFileSync(settings, JSON.stringify(server.settings('salesforce')))
})
afterAll(async () => {
  await server.close()
  home.remove()
})
const connect = (...words: string[]) =>
  panjiProgram({
    PANJI_DATA_DIR: home.dataDir,
    DATABASE_URL: database.url,
    PANJI_SECRET_KEY: secretKey,
    PANJI_PUBLIC_URL: publicUrl,
  }).json('destination', 'connect', 'firm@example.com', ...words)

/** What a person does in the browser. @returns the word that the page at the end shows. */
async function allow(address: URL): Promise<string> {
  const form = new URLSearchParams([...address.searchParams, ['consent', 'allow']])
  const page = await fetch(address, { method: 'POST', body: form, redirect: 'manual' })
  const back = new URL(page.headers.get('location') ?? '').searchParams
  const parts = {
    db: database.db,
    connectors,
    secretKey: new Secret(secretKey),
    connect: { publicUrl, apps: [] },
  }
  const answered = await answerConsent(parts, { state: back.get('state') ?? '', code: back.get('code') ?? undefined })
  return 'word' in answered ? answered.word : ''
}

const chosen = [
  ...['--deliver', '07:30', '--customer-share', '0.4', '--batch-size', '50', '--hours', '20:00-06:00'],
  ...['--pause-at-rejected', '0.25', '--keep', 'fresh', '--adopt-from', '90', '--ask-from', '70'],
]

test('the terms of a new destination are those that the command named when the sign-in began', async () => {
  await panjiProgram({ PANJI_DATA_DIR: home.dataDir, DATABASE_URL: database.url, PANJI_SECRET_KEY: secretKey }).run(
    ...['account', 'create', '--email', 'firm@example.com'],
  )
  const begun = await connect('--type', 'salesforce', '--name', 'Main', '--settings', settings, ...chosen)
  expect(begun).toMatchObject({ code: 0 })
  const { authorize_url: address } = begun.answer as { authorize_url: string }
  expect(await connect('--word', await allow(new URL(address)))).toMatchObject({
    code: 0,
    answer: {
      ...{ name: 'Main', deliver: '07:30', customer_share: 0.4, batch_size: 50, hours: '20:00-06:00' },
      ...{ pause_at_rejected: 0.25, keep: 'fresh', adopt_from: 90, ask_from: 70 },
    },
  })
})

test('a sign-in that renews or finishes takes no terms, and says so', async () => {
  for (let at = 0; at < chosen.length; at += 2) {
    const term = chosen.slice(at, at + 2)
    for (const of of [
      ['--renew', crypto.randomUUID()],
      ['--word', 'word'],
    ])
      expect([of, term, await connect(...of, ...term)]).toMatchObject([
        of,
        term,
        { code: 2, answer: { error: { code: 'BAD_REQUEST', message: expect.stringContaining(of[0] ?? '') } } },
      ])
  }
})
