/**
 * An accountant at the console: money and nothing else. She comes in at the invoices, narrows them, opens one as its facts and as its
 * PDF, goes on to what took it back, and takes the files of the month.
 */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { signedIn } from '../../support/console-instance.ts'
import { type OperatorDesk, patience } from '../../support/operator-desk.ts'
import { goTo } from '../../support/page-links.ts'
import { type Issued, issuedTo, payForPack } from '../pay-for-pack.ts'
import type { Listed } from './buyer.ts'

/** A pack that is paid, of which half of the money goes back. @returns both documents. */
async function sellAndTakeBackHalf({ call, instance }: OperatorDesk, buyerName: string): Promise<Issued[]> {
  await call('/admin/payments/refund', {
    ...{ of: await payForPack(instance, buyerName), amount: 59_000 },
    ...{ reference: `half for ${buyerName}`, reason: 'asked for by the buyer' },
  })
  const issued = () => issuedTo(instance, buyerName)
  await expect.poll(async () => (await issued()).length, patience).toBe(2)
  return (await issued()).toSorted((one, other) => other.kind.localeCompare(one.kind))
}

async function saved(page: Page, button: string): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: button, exact: true }).click()
  const file = await coming
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
}

export function describeAccountant(desk: () => OperatorDesk): void {
  test('an accountant comes in at the invoices, finds one by buyer, kind, month and account, opens it, and takes the files of its month', async () => {
    const { instance, call } = desk()
    const buyerName = 'Kaveri Papers LLP'
    const [invoice, note] = await sellAndTakeBackHalf(desk(), buyerName)
    if (!invoice || !note) throw new Error('an invoice and its credit note were to be issued')
    const { answer } = await instance.home.json('operator', 'add', 'meera', '--role', 'accountant')
    const hers = (answer as { token: string }).token
    const { page, faults } = await signedIn(instance, '/console', undefined, hers)
    const shown = page.getByRole('region', { name: 'Invoices and credit notes', exact: true })
    const lines = shown.locator('tbody tr')

    await page.waitForURL('**/console/invoices')
    // A link that somebody sent leads nowhere that she may not read, and her pages stand there.
    await page.goto('/console/backup')
    await page.getByRole('heading', { name: 'Not for accountants', exact: true }).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Invoices', exact: true }).click()
    const reachable = page.getByRole('navigation').getByRole('link')
    expect(await reachable.allTextContents()).toEqual(['Invoices', 'Month', 'Ledger', 'Payments'])
    const search = page.getByLabel('Number, GSTIN, name of the buyer, or e-mail of the account', { exact: true })
    const find = async (text: string) => {
      await search.fill(text)
      await search.press('Enter')
    }
    await find('kaveri')
    await expect.poll(() => lines.count(), patience).toBe(2)
    await page.getByLabel('Kind', { exact: true }).selectOption('credit_note')
    await expect.poll(() => lines.count(), patience).toBe(1)
    expect(await lines.first().textContent()).toContain(`${note.number}credit note for ${invoice.number}`)
    await page.getByLabel('Month', { exact: true }).selectOption({ index: 3 })
    await page.getByText('No invoice or credit note matches these filters.').waitFor()
    await page.getByLabel('Kind', { exact: true }).selectOption('')
    await page.getByLabel('Month', { exact: true }).selectOption(invoice.date.slice(0, 7))
    await expect.poll(() => lines.count(), patience).toBe(2)
    const listed = await saved(page, 'Download CSV')
    expect(listed.name).toBe(`invoices-${invoice.date.slice(0, 7)}.csv`)
    expect(listed.bytes.toString().trimEnd().split('\r\n').slice(1)).toEqual([
      expect.stringContaining(note.number),
      expect.stringContaining(invoice.number),
    ])
    await find(invoice.user_id)
    await shown.getByRole('link', { name: invoice.number, exact: true }).click()

    await page.getByRole('heading', { name: `Invoice ${invoice.number}`, level: 1, exact: true }).waitFor()
    for (const words of [buyerName, '1 MG Road, Pune 411001', '₹180.00', '₹1,180.00'])
      await page.locator('dl').getByText(words, { exact: true }).waitFor()
    const pdf = await saved(page, 'PDF')
    expect(pdf.name).toBe(`${invoice.number}.pdf`)
    const kept = await fetch(`${instance.url}/admin/invoices/${invoice.number}/pdf`, {
      headers: { Authorization: `Bearer ${hers}` },
    })
    expect(pdf.bytes.equals(Buffer.from(await kept.arrayBuffer()))).toBe(true)
    expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-')
    await page
      .getByRole('region', { name: 'Credit notes', exact: true })
      .getByRole('link', { name: note.number, exact: true })
      .click()
    await page.getByRole('heading', { name: `Credit note ${note.number}`, level: 1, exact: true }).waitFor()
    await page.getByRole('link', { name: invoice.number, exact: true }).click()
    await page.getByRole('heading', { name: `Invoice ${invoice.number}`, level: 1, exact: true }).waitFor()

    await page.getByRole('link', { name: 'Month', exact: true }).click()
    const documents = await saved(page, 'Documents as CSV')
    for (const { number } of [invoice, note]) expect(documents.bytes.toString()).toContain(number)
    await page.getByRole('link', { name: 'The invoices and credit notes of this month', exact: true }).click()
    await page.waitForURL(`**/console/invoices?month=${invoice.date.slice(0, 7)}`)

    await page.keyboard.press('Control+K')
    await page
      .getByRole('combobox', { name: 'A page, or an invoice, payment', exact: true })
      .fill(note.number.toLowerCase())
    await page.getByRole('option', { name: `${note.number} credit note`, exact: true }).click()
    await page.getByRole('heading', { name: `Credit note ${note.number}`, level: 1, exact: true }).waitFor()
    for (const other of ['Ledger', 'Payments']) {
      await goTo(page, other)
      await page.getByRole('heading', { name: other, level: 1, exact: true }).waitFor()
      await page.waitForLoadState('networkidle')
      expect(await page.locator('main a').count()).toBe(0)
    }
    // Nothing that she was shown was refused to her: a refusal stands in the console of her browser.
    expect(faults).toEqual([])
    await page.close()
    const { data: told } = await call<Listed<object>>('/admin/audit?actor=operator:meera&limit=1')
    expect(told).toMatchObject([{ actor: 'operator:meera' }])
  }, 240_000)
}
