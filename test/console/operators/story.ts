/**
 * An operator's stories, told by clicks alone: the file that came is cut off, she looks, drops it, and sends the right one; a
 * refused row is fixed on its page; a key is rotated; she sees what an account sees.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { violations } from '../../support/browser.ts'
import { companies, snapshotText } from '../../support/company-snapshots.ts'
import { signedIn } from '../../support/console-instance.ts'
import type { OperatorDesk } from '../../support/operator-desk.ts'
import { goTo } from '../../support/page-links.ts'

/** A registrar that the sample world knows nothing of, so that its companies are skipped. */
const registrar = 'Nicobar'
const rows = (from: number, to: number) => companies(from, to, { registrar })

async function takeIn(page: Page, dataDir: string, name: string, text: string): Promise<void> {
  const file = join(dataDir, name)
  writeFileSync(file, text)
  await goTo(page, 'Import a file')
  await page.getByLabel('File of this machine', { exact: true }).setInputFiles(file)
  await page.getByLabel('What it holds', { exact: true }).selectOption('mca-companies')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByRole('heading', { name: /^Import \d+$/ }).waitFor()
}

const state = (page: Page, word: string) =>
  page.getByRole('status').getByText(word, { exact: true }).waitFor({ timeout: 60_000 })
const told = (page: Page, name: string) =>
  page.getByRole('figure', { name: 'What became of the rows', exact: true }).getByText(name, { exact: true })

/** Of many rows only those in sight are drawn; they are sorted all the same. */
async function sortRejects(page: Page): Promise<void> {
  const grid = page.getByRole('table', { name: 'Rejected rows', exact: true })
  const lines = () => grid.getByRole('cell', { name: /^\d+$/ }).allTextContents()
  // One that the list is sorted by bears the sign of its direction.
  const head = (name: string) => grid.getByRole('columnheader', { name: new RegExp(`^${name}( [↑↓↕])?$`) })
  await expect.poll(lines).toEqual(['412', '413'])
  await head('Line').getByRole('button').press('Enter')
  await head('Line').getByRole('button').press('Enter')
  await expect.poll(lines).toEqual(['413', '412'])
  expect([await head('Line').getAttribute('aria-sort'), await violations(page)]).toEqual(['descending', []])
  await head('Reason').getByRole('button').press('Enter')
  await expect.poll(lines).toEqual(['412', '413'])
}

export function describeStories(desk: () => OperatorDesk): void {
  test('an operator meets a truncated snapshot, drops it, sends the right one, and fixes the row that it refused', async () => {
    const { dataDir } = desk().instance.home
    const { page, faults } = await signedIn(desk().instance, '/console')
    await takeIn(page, dataDir, 'whole.csv', snapshotText(rows(1, 400)))
    await state(page, 'succeeded')

    await takeIn(page, dataDir, 'truncated.csv', snapshotText(rows(1, 40)))
    await state(page, 'needs approval')
    const truncated = await page.getByRole('heading', { level: 1 }).textContent()
    await page.getByRole('heading', { name: 'Some that would be closed', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Health', exact: true }).click()
    await page.getByRole('link', { name: `${truncated} of mca-companies`, exact: true }).click()
    const { page: late, faults: hers } = await signedIn(desk().instance, '/console', (told) =>
      told.includes('/discard'),
    )
    await late.goto(page.url())
    await late.getByRole('button', { name: 'Discard', exact: true }).click()
    await late.getByRole('dialog').getByLabel('Reason', { exact: true }).fill('the file is cut off, as I see it')
    await page.getByRole('button', { name: 'Discard', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Reason', { exact: true }).fill('the file is cut off')
    await page.getByRole('dialog').getByRole('button', { name: 'Discard', exact: true }).click()
    await state(page, 'discarded')
    await page.getByText('discarded by operator:default: the file is cut off').waitFor()
    // Who was slower is told so, and then sees what it is.
    await late.getByRole('dialog').getByRole('button', { name: 'Discard', exact: true }).click()
    await late.getByRole('alert').getByText('only one that needs approval can be decided').waitFor()
    await late.getByRole('dialog').getByRole('button', { name: 'Not now', exact: true }).click()
    await state(late, 'discarded')
    expect(hers).toEqual([])
    await late.close()

    // The letters in the place of zeros are nobody's to guess.
    const broken = snapshotText(rows(1, 412))
      .replace(/U74999GA2019PTC000411/, 'U74999GA2019PTCOOO411')
      .replace(/^U74999GA2019PTC000412,.*$/m, 'U74999GA2019PTC000412')
    await takeIn(page, dataDir, 'right.csv', broken)
    await state(page, 'succeeded')
    await told(page, 'New 10').waitFor()
    await page.getByRole('link', { name: 'See the rejected rows', exact: true }).click()
    await sortRejects(page)
    await page.getByRole('button', { name: 'Fix', exact: true }).first().click()
    const cell = page.getByRole('dialog').getByLabel('CIN (optional)', { exact: true })
    expect(await cell.inputValue()).toBe('U74999GA2019PTCOOO411')
    await cell.fill('U74999GA2019PTC000411')
    await page.getByRole('dialog').getByRole('button', { name: 'Fix', exact: true }).click()
    await page.getByRole('button', { name: 'Import 1 fixed row', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Import 1 fixed row', exact: true }).click()
    await page.getByRole('heading', { name: /^Import \d+$/ }).waitFor()
    await state(page, 'succeeded')
    await told(page, 'New 1').waitFor()

    await goTo(page, 'Audit log')
    await page.getByRole('cell', { name: 'discard run', exact: true }).first().waitFor()
    expect(faults).toEqual([])
    await page.close()
  }, 180_000)

  test('an operator rotates a key: the new one is shown once, and both work for a while', async () => {
    const { page, faults } = await signedIn(desk().instance, '/console')
    await page.getByRole('link', { name: 'Accounts', exact: true }).click()
    await page.getByRole('link', { name: 'demo@example.com', exact: true }).click()
    const keys = page.getByRole('region', { name: 'API keys', exact: true })
    await keys.getByRole('button', { name: 'Rotate', exact: true }).click()
    const before = await keys.getByRole('row').count()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }).click()
    const secret = (await page.getByRole('dialog').getByRole('status').textContent()) ?? ''
    expect(secret).toMatch(/^panji_\w{43}$/)
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click()
    await keys.getByRole('row').nth(before).waitFor()
    for (const api_key of [secret, desk().instance.apiKey]) {
      const body = JSON.stringify({ api_key })
      const headers = { 'Content-Type': 'application/json' }
      expect((await fetch(`${desk().instance.url}/api/auth/login`, { method: 'POST', headers, body })).status).toBe(200)
    }
    expect(faults).toEqual([])
    await page.close()
  }, 180_000)

  test('an operator can view an account as its owner: every action is disabled, and each view is logged', async () => {
    const { page, faults } = await signedIn(desk().instance, '/console')
    await page.getByRole('link', { name: 'Accounts', exact: true }).click()
    await page.getByRole('link', { name: 'demo@example.com', exact: true }).click()
    await page.getByRole('button', { name: 'As this account sees it', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Reason', { exact: true }).fill('asked what its feed holds')
    await page.getByRole('dialog').getByRole('button', { name: 'As this account sees it', exact: true }).click()
    await page.getByRole('note').getByText('Each view is recorded in the audit log.').waitFor()
    await goTo(page, 'New registrations')
    await page.getByRole('heading', { name: 'Records', exact: true }).waitFor()
    expect(await page.getByRole('button', { name: /^Buy/ }).count()).toBe(0)
    await page.getByRole('link', { name: 'Back to the console', exact: true }).click()
    await goTo(page, 'Audit log')
    await page.getByRole('cell', { name: 'read feeds', exact: true }).first().waitFor()
    await page.getByRole('cell', { name: 'view as account', exact: true }).first().waitFor()
    expect(faults).toEqual([])
    await page.close()
  }, 180_000)
}
