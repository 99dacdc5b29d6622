/**
 * HubSpot's lifecycle stage goes forward only: an earlier stage that a program writes is passed over in silence, and only an emptied one can
 * be set back. What a mapping says of it is written as far as it goes forward, and a stage that people set is never taken back.
 */
import { afterEach, expect, test } from 'vitest'
import type { FieldOverride, Ownership, PushOutcome } from '../../connectors/contract.ts'
import { afterPush, World } from './promises/world.ts'
import { companyLead, directorLead } from './sample-leads.ts'
import { hubspotSubject } from './subjects.ts'

let world: World | undefined
afterEach(async () => {
  await world?.close()
  world = undefined
})

const objects = [
  ['contacts', directorLead(1)],
  ['companies', companyLead(1)],
] as const

test.each(objects)(
  'of %s a stage that somebody moved on stays, also where the mapping always wins, and is not written for ever',
  async (object, lead) => {
    const crm = await World.create(hubspotSubject)
    world = crm
    let pushed: PushOutcome | undefined
    const push = async (value: string, ownership: Ownership, city: string) => {
      const overrides: FieldOverride[] = [{ field: `${object}.lifecyclestage`, value, ownership }]
      const row = { ...lead, row: { ...lead.row, City: city }, overrides }
      const [outcome] = await crm.open().push([pushed === undefined ? row : afterPush(row, pushed)])
      pushed = outcome
      return outcome?.status
    }
    const stage = () => crm.heldIn(lead, 'lifecyclestage')
    await crm.ready()
    expect(await push('lead', 'always', 'Ponda')).toBe('created')
    expect(stage()).toBe('lead')
    for (const { id } of crm.stored(lead)) crm.edit(id, 'lifecyclestage', 'customer')
    expect(await push('lead', 'always', 'Mapusa')).toBe('updated')
    expect([stage(), crm.heldIn(lead, 'city')]).toEqual(['customer', 'Mapusa'])
    expect(await push('lead', 'always', 'Mapusa')).toBe('unchanged')
    // Nor is it emptied, after which it could be set to anything.
    expect(await push('', 'always', 'Mapusa')).toBe('unchanged')
    expect(stage()).toBe('customer')
    expect(await push('evangelist', 'always', 'Mapusa')).toBe('updated')
    expect(stage()).toBe('evangelist')
  },
)

test.each(objects)(
  'of %s a stage of Panji’s own goes forward, and is still known as its own after a mapping that asked for an earlier one',
  async (object, lead) => {
    const crm = await World.create(hubspotSubject)
    world = crm
    let pushed: PushOutcome | undefined
    const push = async (value: string) => {
      const row = { ...lead, overrides: [{ field: `${object}.lifecyclestage`, value }] }
      const [outcome] = await crm.open().push([pushed === undefined ? row : afterPush(row, pushed)])
      pushed = outcome
      return [outcome?.status, crm.heldIn(lead, 'lifecyclestage')]
    }
    await crm.ready()
    expect(await push('lead')).toEqual(['created', 'lead'])
    expect(await push('salesqualifiedlead')).toEqual(['updated', 'salesqualifiedlead'])
    expect(await push('lead')).toEqual(['unchanged', 'salesqualifiedlead'])
    expect(await push('opportunity')).toEqual(['updated', 'opportunity'])
    for (const { id } of crm.stored(lead)) crm.edit(id, 'lifecyclestage', 'lead')
    expect(await push('opportunity')).toEqual(['unchanged', 'lead'])
  },
)
