/** The example connector: the contract of every connector, and what a folder owes beside it. */
import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectors, connectorsOf } from '../../connectors/index.ts'
import { describeConnector } from './connector-suite.ts'
import { deliveryDir, folderAccount } from './folder-sandbox.ts'
import { openGate, World } from './promises/world.ts'
import { companyLead, gstLead } from './sample-leads.ts'
import { folderSubject } from './subjects.ts'

describeConnector(folderSubject)

describe('a folder', () => {
  let world: World
  beforeEach(async () => {
    world = await World.create(folderSubject)
  })
  afterEach(() => world.close())
  const folder = join(deliveryDir, folderAccount)
  const fileOf = (n: number) => join(folder, `gst-${gstLead(n).row['GSTIN']}.csv`)

  test('is offered where the operator named one, and nowhere else', () => {
    expect(connectorsOf(undefined)).toEqual(connectors)
    const names = connectorsOf(deliveryDir).map(({ name }) => name)
    expect(names).toEqual([...connectors.map(({ name }) => name), 'example-csv'])
  })

  test('is chosen by no account: settings that name a path are refused, and another secret opens another folder', async () => {
    for (const over of [{ folder: '../elsewhere' }, { path: '/etc' }, { folder_secret: 'short' }])
      expect(() => folderSubject.connector.readSettings({ ...world.settings, ...over })).toThrow(
        expect.objectContaining({ code: 'DESTINATION_INVALID' }),
      )
    await (await world.ready()).push([gstLead(1)])
    const stranger = world.open({ over: { folder_secret: '../../../../etc/passwd of a stranger' } })
    await stranger.setup()
    await stranger.push([gstLead(2)])
    expect((await stranger.lookup([gstLead(1).externalId])).size).toBe(0)
    expect(await stranger.erase([gstLead(1).externalId])).toBe(0)
    expect(readdirSync(folder)).toHaveLength(1)
    expect(readdirSync(deliveryDir).every((name) => /^[0-9a-f]{32}$/.test(name))).toBe(true)
  })

  test('takes no identity that is none: nothing is written, read or erased outside of it', async () => {
    writeFileSync(join(deliveryDir, 'gst-1.csv'), 'Panji_Id\r\ngst:../gst-1\r\n')
    const session = await world.ready()
    const strange = [
      'gst:../gst-1',
      'gst:/etc/passwd',
      'gst:',
      'gst:a\0b',
      '../gst-1',
      'order:1',
      `gst:${'9'.repeat(41)}`,
    ]
    for (const externalId of strange) {
      const [outcome] = await session.push([{ ...gstLead(1), externalId }])
      expect(outcome, externalId).toMatchObject({ status: 'rejected', code: 'INVALID_ID' })
      expect((await session.plan([{ ...gstLead(1), externalId }]))[0]).toMatchObject({ action: 'reject' })
      expect((await session.lookup([externalId])).size).toBe(0)
      expect(await session.erase([externalId])).toBe(0)
    }
    expect(readdirSync(folder)).toEqual([])
    expect(readdirSync(deliveryDir)).toContain('gst-1.csv')
  })

  test('is left by no link: a file that leads elsewhere is neither read nor written through', async () => {
    const session = await world.ready()
    const outside = join(deliveryDir, 'outside.csv')
    writeFileSync(outside, 'Panji_Id,Company\r\nx,Not for you\r\n')
    symlinkSync(outside, fileOf(1))
    linkSync(outside, fileOf(2))
    expect(await session.push([gstLead(1), gstLead(2)])).toMatchObject([
      { status: 'rejected', code: 'ELOOP' },
      { status: 'updated' },
    ])
    expect(readFileSync(outside, 'utf8')).toContain('Not for you')
  })

  test('says of a file that cannot be read never that it is not there', async () => {
    const session = await world.ready()
    symlinkSync(join(deliveryDir, 'outside.csv'), fileOf(1))
    const { externalId } = gstLead(1)
    await expect(session.lookup([externalId])).rejects.toMatchObject({ code: 'ELOOP' })
    expect(await session.plan([gstLead(1)])).toMatchObject([{ action: 'reject', code: 'ELOOP' }])
  })

  test('keeps the old record whole when the new one cannot take its place, and leaves no litter', async () => {
    const session = await world.ready()
    mkdirSync(fileOf(1))
    const outcomes = await session.push([gstLead(1), gstLead(2)])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'created'])
    expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([])
  })

  test('stops with its signal before the next file, and says what became of each lead', async () => {
    await world.open().setup()
    const controller = new AbortController()
    let taken = 0
    const gate = { ...openGate, take: async () => void (++taken === 2 && controller.abort()) }
    const outcomes = await world.open({ gate, signal: controller.signal }).push([gstLead(1), gstLead(2), gstLead(3)])
    expect(outcomes.map(({ status }) => status)).toEqual(['created', 'created', 'deferred'])
    await expect(world.open({ signal: AbortSignal.abort() }).push([gstLead(4)])).rejects.toMatchObject({
      code: 'CRM_UNAVAILABLE',
    })
    expect(readdirSync(folder)).toHaveLength(2)
  })

  test('runs no formula of a lead in anybody’s spreadsheet, and gives it back as it was', async () => {
    const session = await world.ready()
    const Company = '=HYPERLINK("http://example.com","open")'
    await session.push([gstLead(1, { Company })])
    expect(readFileSync(fileOf(1), 'utf8')).toContain(`"'=HYPERLINK`)
    expect((await session.lookup([gstLead(1).externalId])).get(gstLead(1).externalId)?.values['Company']).toBe(Company)
    expect((await session.push([gstLead(1, { Company })]))[0]?.status).toBe('unchanged')
  })

  test('keeps the columns that people added to a file', async () => {
    const session = await world.ready()
    await session.push([companyLead(1)])
    const [record] = world.stored(companyLead(1))
    world.edit(String(record?.id), 'Our_Notes', 'called on Monday')
    await session.push([companyLead(1, { Website: 'https://zuari-foods.example.org' })])
    expect(world.heldIn(companyLead(1), 'Our_Notes')).toBe('called on Monday')
  })

  test('that is not set up is refused before anything is written', async () => {
    const failed = await world
      .open()
      .push([gstLead(1)])
      .catch((error: unknown) => error)
    expect(failed).toMatchObject({ code: 'DESTINATION_INVALID' })
    expect(inspect(failed)).not.toContain(String(world.settings['folder_secret']))
    expect(readdirSync(deliveryDir)).toEqual([])
  })
})
