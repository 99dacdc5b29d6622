/** Promises about whose value stands in a field, and about the plan that says so beforehand. */
import { expect } from 'vitest'
import type { OutgoingLead } from '../../../connectors/contract.ts'
import { companyLead, gstLead } from '../sample-leads.ts'
import { acknowledged, afterPush, type ConnectorPromise, type World } from './world.ts'

const newer = { Company: 'Zuari Foods Renamed Private Limited', Phone: '+918323333333' }

export const ownershipPromises: readonly ConnectorPromise[] = [
  {
    title: 'a value that somebody in the CRM changed stays, also at later pushes, and the rest of the lead is written',
    async prove(world) {
      const session = await world.ready()
      const [first] = await session.push([companyLead(1)])
      const { id, field } = world.fieldHolding(companyLead(1), companyLead(1).row['Company'])
      world.edit(id, field, 'Edited by a rep')
      const [second] = await session.push([afterPush(companyLead(1, newer), first)])
      expect(acknowledged).toContain(second?.status)
      expect(world.heldIn(companyLead(1), field)).toBe('Edited by a rep')
      expect(JSON.stringify(world.stored(companyLead(1)))).toContain(newer.Phone)
      await session.push([afterPush(companyLead(1, { ...newer, Company: 'Renamed once more' }), second)])
      expect(world.heldIn(companyLead(1), field)).toBe('Edited by a rep')
    },
  },
  {
    title: 'a value that somebody in the CRM cleared stays empty',
    async prove(world) {
      const session = await world.ready()
      const [first] = await session.push([companyLead(1)])
      const { id, field } = world.fieldHolding(companyLead(1), companyLead(1).row['Phone'])
      world.edit(id, field, '')
      await session.push([afterPush(companyLead(1, newer), first)])
      expect(world.heldIn(companyLead(1), field) ?? '').toBe('')
    },
  },
  {
    title: 'what was sent and never answered is nobody’s edit: a newer value takes its place, and an edit stays',
    async prove(world) {
      const session = await world.ready()
      const sent = companyLead(1)
      // Its answer is lost, so the ledger knows nothing of it.
      await session.push([sent])
      const { id, field } = world.fieldHolding(sent, sent.row['Company'])
      const { row } = companyLead(1, newer)
      const unconfirmed = [{ row: companyLead(1, { Company: 'Never there' }).row }, { row: sent.row }]
      expect(await session.plan([{ ...sent, row, unconfirmed }])).toMatchObject([{ action: 'update' }])
      const [second] = await session.push([{ ...sent, row, unconfirmed }])
      expect(acknowledged).toContain(second?.status)
      expect(world.heldIn(sent, field)).toBe(newer.Company)
      expect(JSON.stringify(world.stored(sent))).toContain(newer.Phone)
      world.edit(id, field, 'Edited by a rep')
      await session.push([{ ...afterPush(companyLead(1, { Company: 'Renamed' }), second), unconfirmed }])
      expect(world.heldIn(sent, field)).toBe('Edited by a rep')
    },
  },
  {
    title: 'what the register does not know leaves alone what the CRM knows',
    async prove(world) {
      const session = await world.ready()
      await session.push([companyLead(2)])
      const { field } = world.fieldHolding(companyLead(2), companyLead(2).row['Phone'])
      const lead = companyLead(1, { Phone: null, Mobile: null })
      const [first] = await session.push([lead])
      world.edit(String(world.stored(lead)[0]?.id), field, '+918320000000')
      const [second] = await session.push([afterPush(companyLead(1, { ...lead.row, Company: newer.Company }), first)])
      expect(acknowledged).toContain(second?.status)
      expect(world.heldIn(lead, field)).toBe('+918320000000')
    },
  },
  {
    title: 'what the register no longer knows is taken out, as planned, except where somebody wrote since',
    async prove(world) {
      const session = await world.ready()
      const [first] = await session.push([companyLead(1, { ROCCode: 'ROC Goa' })])
      const { id, field } = world.fieldHolding(companyLead(1), companyLead(1).row['City'])
      world.edit(id, field, 'Margao')
      const unknown = { City: null, Phone: null, Email: null, ROCCode: null, paidUpCapital: null }
      const emptied = afterPush(companyLead(1, unknown), first)
      const [planned] = await session.plan([emptied])
      const changes = planned?.action === 'update' ? planned.changes : []
      expect(changes.map(({ before }) => before)).toContain(companyLead(1).row['Phone'])
      expect(changes.map(({ field: name }) => name)).not.toContain(field)
      const [second] = await session.push([emptied])
      expect(second?.status).toBe('updated')
      expect(world.heldIn(emptied, field)).toBe('Margao')
      const { Phone, Email } = companyLead(1).row
      const left = JSON.stringify(world.stored(emptied))
      for (const gone of [Phone, Email, 'ROC Goa', '100000']) expect(left).not.toContain(`"${gone}"`)
      expect(left).toContain(String(emptied.row['Website']))
      expect(await session.push([afterPush(emptied, second)])).toMatchObject([{ status: 'unchanged' }])
    },
  },
  {
    title: 'a plan writes nothing and says what a push would do, field by field',
    async prove(world) {
      const session = await world.ready()
      const [, changed] = await session.push([gstLead(1), companyLead(2)])
      const { field } = world.fieldHolding(companyLead(2), companyLead(2).row['Company'])
      const writesBefore = world.writes().length
      const leads = [
        gstLead(1),
        gstLead(3),
        gstLead(4, { Email: 'no-address' }),
        afterPush(companyLead(2, { Company: newer.Company }), changed),
      ]
      const actions = await session.plan(leads)
      expect(actions.map(({ action }) => action)).toEqual(['unchanged', 'create', 'reject', 'update'])
      const something = expect.stringMatching(/./)
      expect(actions[2]).toMatchObject({ code: something, message: something })
      const names: unknown = actions[3]?.action === 'update' ? actions[3].changes : []
      expect(names).toContainEqual(
        expect.objectContaining({ before: companyLead(2).row['Company'], after: newer.Company }),
      )
      expect(world.writes()).toHaveLength(writesBefore)
      expect(world.stored(gstLead(3))).toEqual([])
      expect(world.heldIn(companyLead(2), field)).toBe(companyLead(2).row['Company'])
    },
  },
  {
    title: 'a plan names the newer value that somebody’s edit keeps out as a conflict',
    async prove(world) {
      const session = await world.ready()
      const [first] = await session.push([companyLead(1)])
      const { id, field } = world.fieldHolding(companyLead(1), companyLead(1).row['Phone'])
      world.edit(id, field, '+918320000000')
      const [action] = await session.plan([afterPush(companyLead(1, { Phone: newer.Phone }), first)])
      expect(action).toMatchObject({ action: 'conflict', reason: expect.stringContaining(field) })
    },
  },
  {
    title: 'a plan before set-up is possible and changes nothing',
    async prove(world) {
      const actions = await world.open().plan([gstLead(1), companyLead(1)])
      expect(actions.map(({ action }) => action)).toEqual(['create', 'create'])
      expect(world.sandbox.records()).toEqual([])
      const report = await world.open().setup()
      expect(report.created.length).toBeGreaterThan(0)
    },
  },
  {
    title: 'what a customer’s mapping says of a field is planned, written, and left unchanged from then on',
    ofMappings: true,
    async prove(world) {
      const session = await world.ready()
      const field = await nameOf(world, 'Zuari Foods 7')
      const lead = (value: string): OutgoingLead => ({ ...companyLead(1), overrides: [{ field, value }] })
      const [planned] = await session.plan([lead('Ours'), companyLead(2)])
      expect(planned).toMatchObject({ action: 'create' })
      const [first] = await session.push([lead('Ours')])
      const held = () => world.stored(companyLead(1)).flatMap(({ properties }) => Object.values(properties))
      expect(held()).toContain('Ours')
      expect(held()).not.toContain(companyLead(1).row['Company'])
      const writes = world.writes().length
      const again = afterPush(lead('Ours'), first)
      expect((await session.push([again]))[0]?.status).toBe('unchanged')
      expect(world.writes()).toHaveLength(writes)
      expect(await session.plan([{ ...again, overrides: [{ field, value: 'Ours anew' }] }])).toMatchObject([
        { action: 'update', changes: [expect.objectContaining({ before: 'Ours', after: 'Ours anew' })] },
      ])
    },
  },
  {
    title:
      'whose a field is, the settings say: one is written over every edit, one is filled once and then left unchanged',
    ofOwnership: true,
    async prove(world) {
      const [first] = await (await world.ready()).push([companyLead(1)])
      const { id, field } = world.fieldHolding(companyLead(1), companyLead(1).row['Phone'])
      const push = (rule: string, Phone: string) => {
        const name = world.subject.ownershipName?.(field) ?? field
        const session = world.open({ over: { ownership: { [name]: rule } } })
        return session.push([afterPush(companyLead(1, { Phone }), first)])
      }
      await push('if_empty', '+918323333333')
      expect(world.heldIn(companyLead(1), field)).toBe(companyLead(1).row['Phone'])
      world.edit(id, field, '+918320000000')
      await push('always', '+918323333333')
      expect(world.heldIn(companyLead(1), field)).toBe('+918323333333')
    },
  },
  {
    title: 'a field that a customer’s mapping takes for itself is not written, and whose it is, the mapping says',
    ofMappings: true,
    async prove(world) {
      const session = await world.ready()
      const field = await nameOf(world, 'Zuari Foods 7')
      const [first] = await session.push([companyLead(1)])
      const newer = afterPush(companyLead(1, { Company: 'Renamed', Phone: '+918323333333' }), first)
      await session.push([{ ...newer, overrides: [{ field, value: null }] }])
      const held = () => world.stored(companyLead(1)).flatMap(({ properties }) => Object.values(properties))
      expect(held()).toEqual(expect.arrayContaining([companyLead(1).row['Company'], '+918323333333']))
      const { id, field: stored } = world.fieldHolding(companyLead(1), companyLead(1).row['Company'])
      world.edit(id, stored, 'Edited by a rep')
      await session.push([{ ...newer, overrides: [{ field, ownership: 'always' }] }])
      expect(world.heldIn(companyLead(1), stored)).toBe('Renamed')
    },
  },
]

/** How `describe` names the field that takes a company's name. */
async function nameOf(world: World, company: string): Promise<string> {
  const session = world.open()
  await session.push([companyLead(7, { Company: company })])
  const { field } = world.fieldHolding(companyLead(7), company)
  const named = (await session.describe()).find(({ name }) => name === field || name.endsWith(`.${field}`))
  if (named === undefined) throw new Error(`describe names no field ${field}`)
  return named.name
}
