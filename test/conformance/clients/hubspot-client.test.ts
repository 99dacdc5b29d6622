/** HubSpot's client against the HubSpot sandbox, call by call. */
import { Client } from '@hubspot/api-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHubspotSandbox } from '../../../sandboxes/hubspot/sandbox.ts'
import { type RunningSandboxes, startSandboxes } from '../../../sandboxes/server.ts'
import { hubspotCalls, hubspotElsewhere } from './hubspot-client.ts'

let server: RunningSandboxes
let client: Client

beforeAll(async () => {
  server = await startSandboxes([createHubspotSandbox({ searchesPerSecondMax: 100 })], { port: 0 })
  const { access_token: accessToken, base_url: basePath } = server.settings('hubspot')
  client = new Client({ accessToken: String(accessToken), basePath: String(basePath) })
})
afterAll(() => server.close())

test.each(hubspotCalls)('HubSpot’s client: $name is answered as by an account', async ({ run, gives }) => {
  expect(await run(client)).toEqual(gives)
})

test.each(hubspotElsewhere)('HubSpot’s client: $name is refused by name', async ({ run }) => {
  await expect(Promise.resolve(run(client))).rejects.toThrow(/not in this sandbox/)
})
