/** Zoho: records that wait for an approval, and a module that an administrator called otherwise. */
import { afterEach, expect, test } from 'vitest'
import { createZohoSandbox, type ZohoSandbox } from '../../sandboxes/zoho/sandbox.ts'
import { acknowledged, afterPush, World } from './promises/world.ts'
import { gstLead } from './sample-leads.ts'
import { zohoSubject } from './subjects.ts'

let world: World | undefined
afterEach(async () => {
  await world?.close()
  world = undefined
})

async function org(): Promise<{ readonly zoho: World; readonly sandbox: ZohoSandbox }> {
  const sandbox = createZohoSandbox()
  const zoho = await World.create({ ...zohoSubject, createSandbox: () => sandbox })
  world = zoho
  return { zoho, sandbox }
}

test('a record that waits for an approval is sent later, says why and what to do, and others are written', async () => {
  const { zoho, sandbox } = await org()
  const made = await (await zoho.ready()).push([gstLead(1), gstLead(2)])
  const changed = [1, 2].map((n, at) => afterPush(gstLead(n, { City: 'Mapusa' }), made[at]))
  const id = String(changed[0]?.crmId)
  sandbox.submit(id)
  expect(await zoho.open().push([...changed, gstLead(3)])).toMatchObject([
    {
      ...{ status: 'deferred', code: 'RECORD_LOCKED', afterMs: 900_000 },
      message: expect.stringMatching(/^the record is locked: .*approval.*What to do: .*Approve or Reject/),
    },
    { status: 'updated' },
    { status: 'created' },
  ])
  expect(zoho.heldIn(gstLead(1), 'City')).toBe(gstLead(1).row['City'])
  sandbox.decide(id)
  expect(await zoho.open().push(changed.slice(0, 1))).toMatchObject([{ status: 'updated' }])
  expect(zoho.heldIn(gstLead(1), 'City')).toBe('Mapusa')
})

test('a locked record is not reported as erased, unlike the others, until its approval is decided', async () => {
  const { zoho, sandbox } = await org()
  const leads = [gstLead(1), gstLead(2), gstLead(3)]
  const [first] = await (await zoho.ready()).push(leads)
  const id = first && 'crmId' in first ? first.crmId : ''
  sandbox.submit(id)
  const told: string[] = []
  const erase = () =>
    zoho.open().erase(
      leads.map(({ externalId }) => externalId),
      (externalId) => void told.push(externalId),
    )
  await expect(erase()).rejects.toMatchObject({
    ...{ code: 'CRM_UNAVAILABLE', retry: 'later' },
    message: expect.stringMatching(/RECORD_LOCKED.*Approve or Reject/),
  })
  expect(sandbox.records().map((record) => record.id)).toEqual([id])
  expect(told.toSorted()).toEqual([gstLead(2).externalId, gstLead(3).externalId])
  sandbox.decide(id)
  expect(await erase()).toBe(1)
  expect(sandbox.records()).toEqual([])
})

test('a module that people call otherwise takes its leads; one whose API name was changed is asked for by that name', async () => {
  const { zoho, sandbox } = await org()
  await zoho.ready()
  sandbox.nameModule('Prospects')
  for (const act of [() => zoho.open().push([gstLead(1)]), () => zoho.open().setup()])
    await expect(act()).rejects.toMatchObject({
      code: 'DESTINATION_INVALID',
      message: expect.stringMatching(/INVALID_MODULE.*API Names > Leads|API name Leads/),
    })
  expect(sandbox.records()).toEqual([])
  sandbox.nameModule('Leads')
  for (const { status } of await zoho.open().push([gstLead(1)])) expect(acknowledged).toContain(status)
})
