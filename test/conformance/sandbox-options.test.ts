/** What a sandbox was made with holds again after a reset, whatever an administrator changed meanwhile, its account among it. */
import { afterEach, expect, test } from 'vitest'
import type { Connector, CrmSession } from '../../connectors/contract.ts'
import { hubspot } from '../../connectors/hubspot/connector.ts'
import { salesforce } from '../../connectors/salesforce/connector.ts'
import { zoho } from '../../connectors/zoho/connector.ts'
import type { Sandbox } from '../../sandboxes/contract.ts'
import { createHubspotSandbox } from '../../sandboxes/hubspot/sandbox.ts'
import { createSalesforceSandbox } from '../../sandboxes/salesforce/sandbox.ts'
import { type RunningSandboxes, startSandboxes } from '../../sandboxes/server.ts'
import { createZohoSandbox } from '../../sandboxes/zoho/sandbox.ts'
import { openGate } from './promises/world.ts'
import { gstLead } from './sample-leads.ts'

let server: RunningSandboxes | undefined
afterEach(async () => {
  await server?.close()
})

async function serve(connector: Connector, sandbox: Sandbox): Promise<() => CrmSession> {
  const running = await startSandboxes([sandbox], { port: 0 })
  server = running
  return () =>
    connector.open(connector.readSettings(running.settings(connector.name)), {
      gate: openGate,
      signal: new AbortController().signal,
    })
}

test('after a reset an org of Salesforce has the rules, lists and calls that it was made with', async () => {
  const refusing = (refuses: string) => ({ object: 'Lead', field: 'City', refuses, message: `Not from ${refuses}` })
  const sandbox = createSalesforceSandbox({ dailyLimit: 4_000, validationRules: [refusing('Vasco')] })
  const open = await serve(salesforce, sandbox)
  sandbox.ruleValues([refusing('Panaji')])
  sandbox.ruleDuplicates([{ object: 'Lead', fields: ['City'], allowSave: false }])
  sandbox.offer({ 'Lead.LeadSource': [] })
  sandbox.limitCalls(3)
  sandbox.reset()
  const session = open()
  await session.setup()
  expect(await session.limits()).toMatchObject({ dailyLimit: 4_000 })
  const cities = ['Panaji', 'Panaji', 'Vasco']
  const leads = cities.map((City, n) => gstLead(n, { City, LeadSource: 'Web' }))
  expect((await session.push(leads)).map(({ status }) => status)).toEqual(['created', 'created', 'rejected'])
})

test('after a reset an org of Zoho has the credits and the room for fields that it was made with', async () => {
  const sandbox = createZohoSandbox()
  const open = await serve(zoho, sandbox)
  sandbox.allow({ credits: 0, fields: 0 })
  await expect(open().identify()).rejects.toMatchObject({ code: expect.any(String) })
  sandbox.reset()
  expect(await open().setup()).toMatchObject({ todo: [] })
})

test.each([
  [salesforce, createSalesforceSandbox({ orgId: '00D000000000002EAA' }), '00D000000000002'],
  [hubspot, createHubspotSandbox({ portalId: 4711 }), '4711'],
  [zoho, createZohoSandbox({ organizationId: '60009876543' }), '60009876543'],
] as const)(
  'a sandbox of $name is the account that it was made as, also after a reset',
  async (connector, sandbox, account) => {
    const open = await serve(connector, sandbox)
    expect(await open().identify()).toMatchObject({ account })
    sandbox.reset()
    expect(await open().identify()).toMatchObject({ account })
  },
)
