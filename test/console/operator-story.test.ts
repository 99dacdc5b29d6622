/** An operator's story: the file that came is cut off; she looks, drops it, and the right one goes in. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { companies, snapshotText } from '../support/company-snapshots.ts'
import { type ConsoleInstance, signedIn, startConsole } from '../support/console-instance.ts'

let instance: ConsoleInstance | undefined
beforeAll(async () => {
  instance = await startConsole({ PANJI_SAMPLE: 'off' })
}, 240_000)
afterAll(() => instance?.stop())

test('an operator meets a truncated snapshot, drops it, and takes in the right one', async ({ skip }) => {
  if (!instance) return skip()
  const { home } = instance
  const ingest = async (name: string, to: number, asOf: string) => {
    const file = join(home.dataDir, name)
    writeFileSync(file, snapshotText(companies(1, to)))
    return (await home.json('ingest', 'mca-companies', file, '--as-of', asOf)).answer as {
      run_id: number
      status: string
    }
  }
  expect(await ingest('whole.csv', 400, '2026-01-01')).toMatchObject({ status: 'succeeded' })
  const truncated = await ingest('truncated.csv', 40, '2026-02-01')
  expect(truncated).toMatchObject({ status: 'needs_approval' })

  const { page, faults } = await signedIn(instance, '/console')
  await page.getByRole('link', { name: `Run ${truncated.run_id} of mca-companies` }).click()
  await page.getByText('waits for a word').waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('status').getByText('discarded').waitFor()

  const right = await ingest('right.csv', 410, '2026-02-01')
  expect(right).toMatchObject({ status: 'succeeded', inserted: 10, closed: 0 })
  await page.getByRole('link', { name: 'Runs', exact: true }).click()
  await page.getByRole('link', { name: `Run ${right.run_id}`, exact: true }).click()
  await page.getByText('succeeded').waitFor()

  await page.getByRole('link', { name: 'Trail' }).click()
  await page.getByRole('cell', { name: 'discard run' }).first().waitFor()
  expect(faults).toEqual([])
  await page.close()
}, 180_000)
