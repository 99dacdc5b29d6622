/**
 * What somebody of an account finds by the palette and by name: records and an order of them that is cancelled, a director who is
 * put onto a watchlist, taken off and brought back.
 */
import { expect, test } from 'vitest'
import { violations } from '../../support/browser.ts'
import { type ConsoleInstance, signedIn } from '../../support/console-instance.ts'
import { follow } from '../../support/page-links.ts'
import { exampleCin, press } from './press.ts'

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
    await page.getByRole('link', { name: /^Pay ₹/ }).waitFor()
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await press(page, 'Cancel')
    await page.getByText('cancelled', { exact: true }).first().waitFor()
    expect(await page.getByRole('link', { name: /^Pay ₹/ }).count()).toBe(0)

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
