/**
 * A file is dropped on whatever page is open: Panji says what it looks like, a preview shows what it would change, and one button
 * applies it. What is of no source, and what was brought to the wrong one, is said so, with what helps.
 */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { cinOf, companies, snapshotText } from '../../support/company-snapshots.ts'
import type { OperatorDesk } from '../../support/operator-desk.ts'

/** As a browser tells of a file that somebody lets go over the page. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const file = `new File([${JSON.stringify(text)}], ${JSON.stringify(name)})`
  const transfer = await page.evaluateHandle(`(() => {
    const held = new DataTransfer()
    held.items.add(${file})
    return held
  })()`)
  await page.dispatchEvent('main', 'dragenter', { dataTransfer: transfer })
  await page.getByText('Drop the file to see what it is').waitFor()
  await page.dispatchEvent('main', 'drop', { dataTransfer: transfer })
  await page.getByText('Drop the file to see what it is').waitFor({ state: 'detached' })
}

export function describeDropping(desk: () => OperatorDesk): void {
  test('from a wrong file that is dropped to the right one that is applied', async () => {
    const { page, press, call, told } = desk()
    const dialog = page.getByRole('dialog')
    await page.goto('/console/accounts')
    await drop(page, 'notes.csv', 'a,b\n1,2\n')
    await dialog.getByText('None of the sources has a header like this one, with 2 columns.').waitFor()
    await dialog.getByRole('button', { name: 'Not now', exact: true }).click()

    await drop(page, 'companies-2026-04.csv', snapshotText(companies(8001, 8003, { registrar: 'Mizoram' })))
    await dialog
      .getByRole('status')
      .getByText('It looks like mca-companies of ROC Mizoram, as of 1 Apr 2026, by its name.')
      .waitFor()
    await dialog.getByRole('button', { name: 'See what it would change', exact: true }).click()
    await page.waitForURL(/\/runs\/\d+$/)
    await page.getByRole('status').getByText('previewed', { exact: true }).waitFor()
    await page.getByText(cinOf(8001)).first().waitFor()
    const dry = page.url().split('/').at(-1)
    await press(page, 'Apply')
    await page.waitForURL((url) => !url.pathname.endsWith(`/${dry}`))
    await page.getByRole('status').getByText('succeeded', { exact: true }).waitFor()
    const run = await call<object>(`/admin/ingest/runs/${page.url().split('/').at(-1)}`)
    expect(run).toMatchObject({
      source: 'mca-companies',
      as_of: '2026-04-01',
      inserted: 3,
      requested_by: 'operator:asha',
    })
    expect(await told('repeat run')).toMatchObject({ subject: dry, detail: { dry_run: false } })
  }, 240_000)

  test('an import without a file and without an address says what to choose, and an empty file says that it is empty', async () => {
    const { page } = desk()
    await page.goto('/console/import')
    const begin = page.getByRole('button', { name: 'Import', exact: true })
    await begin.click()
    await page.getByRole('alert').getByText('Choose a file, or enter an address.').waitFor()
    const nothing = { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.alloc(0) }
    await page.getByLabel('File of this machine', { exact: true }).setInputFiles(nothing)
    await begin.click()
    await page.getByRole('alert').getByText('list.csv is empty. Choose another file.').waitFor()
  }, 60_000)

  test('a file that was imported as another source is previewed as its own by one button', async () => {
    const { page, press } = desk()
    await page.goto('/console/import?source=mca-companies')
    const buffer = Buffer.from('DIN,Status,Name\n00990001,Approved,Asha Kamat\n')
    await page
      .getByLabel('File of this machine', { exact: true })
      .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('status').getByText('failed', { exact: true }).waitFor()
    await page.getByRole('alert').getByText('but one of mca-directors').waitFor()
    // Why it failed stands first, and no counts of what was not read.
    expect(await page.getByRole('main').textContent()).toMatch(/but one of mca-directors[\s\S]*How it went/)
    expect(await page.getByText('0 rows read').count()).toBe(0)
    await press(page, 'Preview as mca-directors')
    await page.getByRole('status').getByText('previewed', { exact: true }).waitFor()
    await page.getByText('00990001', { exact: true }).first().waitFor()
    await press(page, 'Apply')
    // A file of one director would close all others.
    await page.getByRole('status').getByText('needs approval', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Approve import', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/^In all 1 new record, 0 changed, [\d,]+ closed, 0 as before\.$/).waitFor()
    await dialog
      .getByText(/would be closed|closes|closed/)
      .first()
      .waitFor()
    await dialog.getByRole('button', { name: 'Not now', exact: true }).click()
    await press(page, 'Discard', { Reason: 'it was a trial' })
    await page.getByRole('status').getByText('discarded', { exact: true }).waitFor()
  }, 240_000)
}
