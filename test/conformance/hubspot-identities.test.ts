/** Records of a HubSpot account that are given the identity of their lead, where HubSpot refuses a batch of them as a whole. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { Claim } from '../../connectors/contract.ts'
import { nameRecords } from '../../connectors/hubspot/adopt.ts'
import { HubspotClient } from '../../connectors/hubspot/client.ts'
import { parseSettings } from '../../connectors/hubspot/settings.ts'
import type { HubspotSandbox } from '../../sandboxes/hubspot/sandbox.ts'
import type { RunningSandboxes } from '../../sandboxes/server.ts'
import { openAccount, startAccount } from './hubspot-account.ts'
import { openGate } from './promises/world.ts'
import { directorLead } from './sample-leads.ts'

let sandbox: HubspotSandbox
let server: RunningSandboxes
beforeEach(async () => {
  ;({ sandbox, server } = await startAccount({ multiStatus: false }))
})
afterEach(() => server.close())

const Created = z.object({ results: z.tuple([z.object({ id: z.string() })]) })

test('a batch of identities refused whole is halved until each culprit stands alone, and every other record is named', async () => {
  await openAccount(server).setup()
  const made = async (properties: object) => {
    const answer = await fetch(`${server.baseUrl('hubspot')}/crm/v3/objects/contacts/batch/create`, {
      method: 'POST',
      headers: { authorization: `Bearer ${String(server.settings('hubspot')['access_token'])}` },
      body: JSON.stringify({ inputs: [{ properties }] }),
    })
    expect(answer.status).toBe(201)
    return Created.parse(await answer.json()).results[0].id
  }
  const claims: Claim[] = []
  for (let n = 0; n < 16; n++)
    claims.push({ externalId: directorLead(n).externalId, crmId: await made({ email: `person-${n}@example.com` }) })
  const [gone, held] = [claims[3], claims[12]]
  if (!gone || !held) throw new Error('there are sixteen claims')
  // Between the look and the writing somebody deletes one, and another record comes to stand for another's lead.
  sandbox.remove?.(gone.crmId)
  const holder = await made({ email: 'holder@example.com', panji_id: held.externalId })
  const client = new HubspotClient(parseSettings(server.settings('hubspot')), {
    ...{ gate: openGate, signal: new AbortController().signal },
  })
  const writes = () => sandbox.calls().filter(({ path }) => path.endsWith('/contacts/batch/update')).length
  // Setting up has asked whether it may.
  const before = writes()
  const unwritten = await nameRecords(client, claims)
  expect(Object.fromEntries(unwritten)).toEqual({
    [gone.externalId]: expect.objectContaining({ status: 'rejected', code: 'OBJECT_NOT_FOUND' }),
    [held.externalId]: expect.objectContaining({ status: 'deferred', code: 'CONFLICT' }),
  })
  const identities = Object.fromEntries(
    sandbox.records().map(({ id, properties }) => [id, properties['panji_id'] ?? '']),
  )
  expect(identities).toEqual({
    ...Object.fromEntries(claims.filter((each) => each !== gone).map((each) => [each.crmId, each.externalId])),
    ...{ [held.crmId]: '', [holder]: held.externalId },
  })
  // Both halves of sixteen hold one: each is found in four steps.
  expect(writes() - before).toBe(15)
})
