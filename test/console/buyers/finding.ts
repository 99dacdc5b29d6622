/**
 * What somebody of an account finds by the palette and by name: records and an order of them that is cancelled, a director who is
 * put onto a watchlist, taken off and brought back.
 */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { violations } from '../../support/browser.ts'
import { type ConsoleInstance, signedIn } from '../../support/console-instance.ts'
import { follow } from '../../support/page-links.ts'
import { exampleCin, press } from './press.ts'

/** In a list of orders, as on the order's own page. */
async function showsPrice(page: Page, price: string): Promise<void> {
  const row = page.getByRole('row').filter({ hasText: 'To think over' })
  const cell = async (head: string) => row.locator(`td[data-head="${head}"]`).textContent()
  expect([await cell('Price'), await cell('Refunded')]).toEqual([price, '0 credits'])
}

export function describeFinding(instance: () => ConsoleInstance): void {
  test('companies are found by the palette, and an order of them that waits for money is cancelled', async () => {
    const { page, faults } = await signedIn(instance(), '/app')
    await page.keyboard.press('Control+k')
    await page
      .getByRole('combobox', { name: 'A page, or an order, CIN, GSTIN, DIN, name', exact: true })
      .pressSequentially('resorts')
    await page.getByRole('option', { name: 'Companies called “resorts” a search', exact: true }).click()
    await page.getByRole('heading', { name: /\d records? found/ }).waitFor()
    for (const box of (await page.locator('tbody').getByRole('checkbox').all()).slice(0, 4)) await box.check()
    await page.getByRole('button', { name: /^Buy \d leads?/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name of the order', { exact: true }).fill('To think over')
    await dialog.getByLabel('Paid by', { exact: true }).selectOption('online')
    await dialog.getByLabel('Legal name', { exact: true }).fill('Godavari Data LLP')
    await dialog.getByLabel('Address with PIN code', { exact: true }).fill('1 MG Road, Pune 411001')
    await dialog.getByLabel('Your state', { exact: true }).selectOption('Maharashtra')
    await dialog.getByRole('button', { name: /^Buy/ }).click()
    await page.getByRole('heading', { name: 'To think over', exact: true }).waitFor()
    const pay = page.getByRole('link', { name: /^Pay ₹/ })
    const price = ((await pay.textContent()) ?? '').replace('Pay ', '')
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await press(page, 'Cancel')
    await page.getByText('cancelled', { exact: true }).first().waitFor()
    expect(await pay.count()).toBe(0)
    // Nothing was charged, and there is no lead.
    const costs = new Set(await page.locator('td[data-head="Cost"]').allTextContents())
    expect([costs.has('nothing: the order was not paid'), costs.has('not paid yet')]).toEqual([true, false])
    expect(await page.locator('dt', { hasText: 'Charged for' }).count()).toBe(0)
    expect(await page.getByRole('heading', { name: 'Leads', exact: true }).count()).toBe(0)
    await follow(page, '/app/orders')
    await showsPrice(page, price)
    const operator = await signedIn(instance(), '/console/orders')
    await showsPrice(operator.page, price)
    await operator.page.getByRole('link', { name: 'To think over', exact: true }).click()
    const facts = operator.page.locator('dl')
    await facts.getByText(price, { exact: true }).waitFor()
    await facts.getByText('0 credits', { exact: true }).waitFor()
    expect(operator.faults).toEqual([])
    await operator.page.close()

    // One record is gone to by its number.
    await page.keyboard.press('Control+k')
    await page
      .getByRole('combobox', { name: 'A page, or an order, CIN, GSTIN, DIN, name', exact: true })
      .pressSequentially(exampleCin(instance()))
    await page.getByRole('option', { name: `${exampleCin(instance())} company`, exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/record/company/${exampleCin(instance())}`)
    expect(faults).toEqual([])
    await page.close()
  }, 180_000)

  test('a director is found by name, put onto a watchlist, taken off and brought back; the palette finds the list', async () => {
    const { page, faults } = await signedIn(instance(), `/app/record/company/${exampleCin(instance())}`)
    const name = (await page.getByRole('figure').getByRole('link').first().textContent()) ?? ''
    await follow(page, '/app/directors')
    await page.getByLabel('Name or DIN', { exact: true }).fill(name)
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByRole('heading', { name: /^\d+ directors? found$/ }).waitFor()
    await page.getByRole('region', { name: 'Directors that were found', exact: true }).getByRole('link').first().click()
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    await page.getByRole('heading', { name: 'Companies', exact: true }).waitFor()

    await page.getByRole('button', { name: 'Watch', exact: true }).click()
    await page.getByLabel(/^Name of a new watchlist|^Or the name of a new one/).fill('People to call')
    await press(page, 'Watch')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    const box = page.getByRole('combobox', { name: 'A page, or an order, CIN, GSTIN, DIN, name', exact: true })
    // What begins with the letters comes before what only has them, such as standing orders.
    await box.pressSequentially('or')
    await expect.poll(() => page.getByRole('option').first().textContent()).toMatch(/^Orders/)
    await box.fill('')
    await box.pressSequentially('people to')
    await page.getByRole('option', { name: 'People to call watchlist', exact: true }).waitFor()
    await page.keyboard.press('Enter')
    const row = page.getByRole('row').filter({ hasText: name })
    await row.waitFor()
    const search = page.getByLabel('Name or identifier', { exact: true })
    await search.fill('nobody of this name')
    await search.press('Enter')
    await row.waitFor({ state: 'detached' })
    expect(await page.locator('.empty').textContent()).toBe('No record on this watchlist matches the search.')
    await page.goBack()
    await row.getByRole('button', { name: 'Take off', exact: true }).click()
    await press(page, 'Take off')
    await page.getByText('This watchlist is empty.').waitFor()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await row.waitFor()

    // A list comes back whole.
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await press(page, 'Delete')
    await page.getByRole('heading', { name: 'Watchlists', exact: true }).waitFor()
    await page.locator('.toast').getByText('The watchlist People to call is deleted.').waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByRole('link', { name: 'People to call', exact: true }).click()
    await row.waitFor()
    expect(faults).toEqual([])
    await page.close()
  }, 180_000)
}
