/** What jsforce does unasked, and the connector does not let it do. */
import { expect, test } from 'vitest'
import { SalesforceClient } from '../../connectors/salesforce/client.ts'
import { salesforce } from '../../connectors/salesforce/connector.ts'
import type { SalesforceSettings } from '../../connectors/salesforce/settings.ts'
import { openGate } from './promises/world.ts'
import { useOrgs } from './salesforce-org.ts'

const org = useOrgs()

test('a member named type in small letters does not change the object that is written', async () => {
  const { sandbox, running, open } = await org()
  await open().setup()
  const { values } = salesforce.readSettings(running.settings('salesforce'))
  const signal = new AbortController().signal
  const client = new SalesforceClient(values as unknown as SalesforceSettings, { gate: openGate, signal })
  const rows = [{ type: 'Account', LastName: 'Naik', Company: 'Zuari Foods', Panji_Id__c: 'gst:1' }]
  expect(await client.upsert('Lead', rows)).toMatchObject([{ success: true }])
  const written = sandbox.calls().flatMap(({ body }) => (body as { records?: object[] } | null)?.records ?? [])
  expect(written).toMatchObject([{ attributes: { type: 'Lead' } }])
  expect(sandbox.records().map(({ object }) => object)).toEqual(['Lead'])
})
