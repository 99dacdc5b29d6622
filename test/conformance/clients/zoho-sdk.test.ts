/** Zoho's SDK against the Zoho sandbox, call by call; it signs in by a form in parts. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Environment, InitializeBuilder, OAuthBuilder, TokenStore } from '@zohocrm/nodejs-sdk-8.0'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningSandboxes, startSandboxes } from '../../../sandboxes/server.ts'
import { createZohoSandbox } from '../../../sandboxes/zoho/sandbox.ts'
import { zohoCalls, zohoElsewhere } from './zoho-sdk.ts'

const folder = mkdtempSync(join(tmpdir(), 'panji-zoho-sdk-'))
let server: RunningSandboxes

/** Forgets, so that nothing is written beside the checkout. */
class NoStore extends TokenStore.TokenStore {
  readonly findToken = async () => null
  readonly findTokenById = async () => null
  readonly saveToken = async () => {}
  readonly deleteToken = async () => {}
  readonly deleteTokens = async () => {}
  readonly getTokens = async () => []
}

beforeAll(async () => {
  server = await startSandboxes([createZohoSandbox()], { port: 0 })
  const settings = server.settings('zoho') as Readonly<Record<string, string>>
  const {
    accounts_url: url = '',
    client_id: id = '',
    client_secret: secret = '',
    refresh_token: refresh = '',
  } = settings
  const token = new OAuthBuilder().clientId(id).clientSecret(secret).refreshToken(refresh).build()
  token.setAPIDomain(url)
  const builder = await new InitializeBuilder()
  const environment = new Environment(url, `${url}/oauth/v2/token`, url)
  await builder.environment(environment).token(token).store(new NoStore()).resourcePath(folder).initialize()
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

test.each(zohoCalls)('Zoho’s SDK: $name is answered as by an org', async ({ run, gives }) => {
  expect(await run(null)).toEqual(gives)
})

test.each(zohoElsewhere)('Zoho’s SDK: $name is refused by name', async ({ run }) => {
  await expect(Promise.resolve(run(null))).rejects.toThrow(/not in this sandbox/)
})
