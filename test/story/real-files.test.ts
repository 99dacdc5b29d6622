/** From the sample world to the real register: what README and `docs/operations.md` say, typed as they say it. */
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importNextDay } from '../support/next-day.ts'
import { panjiHome } from '../support/panji-cli.ts'
import { panjiProgram } from '../support/panji-program.ts'
import type { NodeProcess } from '../support/run-node.ts'
import { laySampleWorld } from '../support/sample-world.ts'
import { sharedFile, testWithSharedData } from '../support/shared-data.ts'
import { stepsOf } from '../support/typed-document.ts'

const goa = 'company/mca_goa_datagovin_2025-10.csv'
const withGoa = testWithSharedData(goa)
const home = panjiHome()
const commands = panjiProgram({ PANJI_DATA_DIR: home.dataDir })
let panji: NodeProcess
const start = async () => {
  panji = home.run('start')
  await panji.line('Ctrl-C stops.')
}
const documentOf = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')

beforeAll(async () => {
  await laySampleWorld(home.dataDir)
  await start()
}, 240_000)
afterAll(async () => {
  panji.child.kill('SIGKILL')
  await panji.ended
  home.remove()
})

/** The commands of the first block under the heading, as words; the file that they name lies in the data directory. */
function typed(markdown: string, heading: string): string[][] {
  const section = markdown.slice(markdown.indexOf(`## ${heading}`))
  const [first] = stepsOf(section)
  return (first?.command.split('\n') ?? []).map((line) =>
    line.split(/\s+/).map((word) => (word === 'goa.csv' ? join(home.dataDir, 'goa.csv') : word)),
  )
}

withGoa(
  'a real file is skipped beside the sample world and says what to do; after `sample remove` it is ingested',
  async () => {
    copyFileSync(sharedFile(goa), join(home.dataDir, 'goa.csv'))
    const [remove = [], ingest = []] = typed(documentOf('docs/operations.md'), 'Import a snapshot')
    expect(documentOf('README.md').replace(/\s+/g, ' ')).toContain(
      'npx panji ingest mca-companies goa.csv --as-of 2025-10-01',
    )
    expect([remove.slice(0, 2), ingest.slice(0, 2)]).toEqual([
      ['npx', 'panji'],
      ['npx', 'panji'],
    ])

    const early = await commands.json(...ingest.slice(2))
    expect(early.code).toBe(1)
    expect(early.answer).toMatchObject({
      ...{ status: 'succeeded', inserted: 0, updated: 0, unchanged: 0 },
      error: { code: 'SNAPSHOT_STALE', message: expect.stringContaining('npx panji sample remove') },
    })
    const { rows_read, skipped, rejected } = early.answer as Record<string, number>
    expect(skipped).toBe((rows_read ?? 0) - (rejected ?? 0))
    expect(await commands.json(...ingest.slice(2), '--force', '--allow-stale')).toMatchObject({ code: 0 })
    await importNextDay(commands)

    const removed = await commands.json(...remove.slice(2))
    expect(removed.code).toBe(0)
    expect(removed.answer).toMatchObject({
      registers: {
        'mca-companies': { removed: expect.any(Number), kept: 0 },
        'gst-taxpayers': { kept: 0 },
        contacts: { kept: 0 },
      },
      account: { kept: { orders: expect.any(Number) } },
    })
    const left = (await commands.json('runs')).answer as Record<string, unknown>[]
    expect(left.map(({ source, inserted }) => ({ source, inserted }))).toEqual([
      { source: 'mca-companies', inserted: 0 },
      { source: 'mca-companies', inserted: 0 },
    ])
    const taken = await commands.json(...ingest.slice(2))
    expect(taken).toMatchObject({ code: 0, answer: { status: 'succeeded', skipped: 0, closed: 0 } })
    const counts = taken.answer as Record<string, number>
    expect(counts['inserted']).toBe((counts['rows_read'] ?? 0) - (counts['rejected'] ?? 0))
    expect(taken.stderr).not.toContain('sample remove')
  },
  120_000,
)

test('a sample world that was taken out does not come back, and taking it out again finds nothing', async () => {
  expect((await commands.json('sample', 'remove', '--yes')).code).toBe(0)
  const again = await commands.json('sample', 'remove', '--yes')
  expect(again).toMatchObject({ code: 0, answer: { registers: {}, runs: 0, account: null } })
  panji.child.kill('SIGINT')
  await panji.ended
  await start()
  expect(panji.printed()).not.toContain('Sample order')
  expect(existsSync(join(home.dataDir, 'sandbox-records.json'))).toBe(false)
  const runs = (await commands.json('runs')).answer as { requested_by: string }[]
  expect(runs.filter(({ requested_by }) => requested_by === 'sample')).toEqual([])
}, 120_000)
