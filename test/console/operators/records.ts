/** Records of the registers as an operator comes to them: by a name, and by what an import changed, which is taken away as a file. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { violations } from '../../support/browser.ts'
import type { OperatorDesk } from '../../support/operator-desk.ts'

export function describeRecords(desk: () => OperatorDesk): void {
  test('a record is found by its name, and its page shows its history', async () => {
    const { page, call } = desk()
    const { data } = await call<{ data: { identifier: string }[] }>('/admin/ingest/runs/4/changes?kind=insert&limit=1')
    const cin = data[0]?.identifier ?? ''
    const [{ name = '' } = {}] = (
      await call<{ data: { name: string }[] }>(`/admin/records?register=company&name=${encodeURIComponent(cin)}`)
    ).data
    await page.goto('/console/records')
    await page.getByLabel('Name, or CIN, LLPIN, DIN or GSTIN', { exact: true }).fill(name.toLowerCase())
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    const row = page.getByRole('row').filter({ hasText: cin })
    expect(await violations(page)).toEqual([])
    await row.getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { name: 'History', exact: true }).waitFor()
    await page.getByText(cin).first().waitFor()
    await page.goBack()
    await page.getByLabel('Register', { exact: true }).selectOption('Directors')
    await page.getByText('No open record of this register has that name.').waitFor()
    // An identifier leads to its record, whichever register is chosen.
    await page.getByLabel('Name, or CIN, LLPIN, DIN or GSTIN', { exact: true }).fill(cin)
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByRole('link', { name: `Open ${cin}`, exact: true }).click()
    await page.getByRole('heading', { name: 'History', exact: true }).waitFor()
  }, 120_000)

  test('what an import changed is taken away as a CSV of what the table is narrowed to', async () => {
    const { page, call } = desk()
    const { data } = await call<{ data: { identifier: string }[] }>('/admin/ingest/runs/4/changes?limit=1')
    const identifier = data[0]?.identifier ?? ''
    await page.goto('/console/runs/4')
    await page.getByLabel('CIN, LLPIN, DIN or GSTIN', { exact: true }).fill(identifier)
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    const table = page.getByRole('region', { name: 'Changes', exact: true })
    await expect.poll(() => table.getByRole('row').count()).toBe(2)
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV', exact: true }).click()
    const download = await coming
    expect(download.suggestedFilename()).toBe('changes-of-import-4.csv')
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n')
    expect(lines).toEqual(['"change_id","register","identifier","kind","fields"', expect.stringContaining(identifier)])
  }, 120_000)
}
