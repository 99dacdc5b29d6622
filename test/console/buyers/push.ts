/**
 * A buyer's leads on their way: a push is planned and approved, the leads arrive in the sandbox CRM, and a bad contact is reported and
 * gives its credit back; a CRM is renewed at its own page, and orders leave as one file.
 */
import { expect, test } from 'vitest'
import { violations } from '../../support/browser.ts'
import { type ConsoleInstance, signedIn } from '../../support/console-instance.ts'
import { follow } from '../../support/page-links.ts'
import { orderSome } from '../order-some.ts'

export function describePush(instance: () => ConsoleInstance): void {
  test('a buyer sees what a push would write, approves it, watches the leads arrive, and a bad contact gives its credit back', async () => {
    const isEarly = (message: string) => message.includes('409') && message.includes('/plan')
    const { page, faults } = await signedIn(instance(), '/app', isEarly)
    const dialog = page.getByRole('dialog')
    // From now on nothing goes there automatically.
    await page.getByRole('link', { name: 'CRMs', exact: true }).click()
    await page.getByRole('link', { name: 'hubspot sandbox', exact: true }).click()
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await dialog.getByLabel('Paid orders go there', { exact: true }).selectOption('approved')
    await dialog.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByText('Now: when someone approves its plan.').waitFor()

    await page.goto("/app/search?query=State+%3D%3D+'Goa'&type=company")
    await page.locator('tbody').getByRole('checkbox').first().waitFor()
    for (const box of (await page.locator('tbody').getByRole('checkbox').all()).slice(0, 4)) await box.check()
    await page.getByRole('button', { name: /^Buy \d leads/ }).click()
    await dialog.getByLabel('Name of the order', { exact: true }).fill('Four of Goa')
    await dialog.getByRole('button', { name: /^Buy \d leads/ }).click()
    await page.getByRole('heading', { name: 'Four of Goa', exact: true }).waitFor()
    await page.getByRole('region', { name: 'Leads of the order', exact: true }).getByRole('row').nth(1).waitFor()
    const order = page.url()

    await page.getByRole('link', { name: 'Deliver', exact: true }).click()
    // As the server answers while a job builds the leads; the page looks again automatically.
    const early = { detail: 'The leads are being built', error_code: 'LEADS_NOT_READY', request_id: '', doc_url: '' }
    await page.route('**/plan', (route) => route.fulfill({ status: 409, json: early }), { times: 1 })
    await page.getByRole('button', { name: 'hubspot sandbox', exact: true }).click()
    await page.getByText('The leads of this order are still being built.').waitFor()
    await page.getByText('Nothing is written yet.').waitFor()
    const planned = page.getByRole('region', { name: 'What would happen to each lead', exact: true })
    await planned.getByText('created', { exact: true }).first().waitFor()
    const leads = (await planned.getByRole('row').count()) - 1
    await page.getByRole('button', { name: 'Approve and deliver', exact: true }).click()
    await dialog.getByRole('button', { name: 'Approve and deliver', exact: true }).click()
    await page.getByRole('heading', { name: 'Deliveries', exact: true }).waitFor()
    const arrived = page.locator('main tbody tr').filter({ has: page.getByRole('button', { name: /^Open in / }) })
    await expect.poll(() => arrived.count(), { timeout: 60_000 }).toBe(leads)
    // What was delivered is planned anew, and not offered once more as it was planned.
    await page.goBack()
    await planned.waitFor()
    expect(await planned.getByText('created', { exact: true }).count()).toBe(0)
    await page.goForward()
    await arrived.first().waitFor()

    await page.keyboard.press('Control+k')
    await page
      .getByRole('combobox', { name: 'A page, or an order, CIN, GSTIN, DIN, name', exact: true })
      .pressSequentially('four of')
    await page.getByRole('option', { name: 'Four of Goa order', exact: true }).click()
    await page.waitForURL(order)
    const delivered = page.getByRole('row').filter({ hasText: 'found' }).first()
    await delivered.getByRole('link', { name: /^Trace / }).click()
    const trace = page.getByRole('region', { name: /^Where .* came from$/ })
    await trace.waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toMatch(/^Where .* came from$/)
    await trace.getByText(/\.csv of mca-companies, .*, line [\d,]+, imported by run \d+/).waitFor()
    await trace.getByText(/^1 credit set aside/).waitFor()
    await trace.getByText('created', { exact: true }).first().waitFor()
    expect(await violations(page)).toEqual([])

    await page.getByRole('button', { name: 'Report', exact: true }).first().click()
    await dialog.getByLabel('What is wrong with it', { exact: true }).fill('The number belongs to somebody else.')
    await dialog.getByRole('button', { name: 'Report', exact: true }).click()
    await page.getByText('reported; the operator has not decided yet').waitFor()
    const operator = await signedIn(instance(), '/console')
    await operator.page.getByRole('link', { name: 'Reports', exact: true }).click()
    await operator.page.getByRole('button', { name: 'Decide', exact: true }).click()
    await operator.page.getByRole('dialog').getByLabel('Reason', { exact: true }).fill('called them')
    await operator.page.getByRole('dialog').getByRole('button', { name: 'Decide', exact: true }).click()
    await operator.page.getByText('No report matches these filters.').waitFor()
    await page.reload()
    await page.getByText('your report was accepted').waitFor()
    expect([...faults, ...operator.faults]).toEqual([])
    await operator.page.close()
    await page.close()
  }, 180_000)

  test('what was sent for a lead comes into sight while the list stays where it is, and closing it returns to its row', async () => {
    const until = '2999-01-01T00:00:00Z'
    const { page, faults } = await signedIn(instance(), `/app/deliveries?${new URLSearchParams({ until })}`)
    await page.setViewportSize({ width: 1440, height: 300 })
    const show = page.locator('main tbody tr').last().getByRole('button', { name: 'Show', exact: true })
    await show.click()
    const heading = page.getByRole('heading', { name: 'What was sent', exact: true })
    await heading.waitFor()
    expect(new URL(page.url()).searchParams.get('until')).toBe(until)
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('What was sent')
    expect(await heading.evaluate((shown) => Math.sign(shown.getBoundingClientRect().top))).toBe(1)
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await heading.waitFor({ state: 'detached' })
    await expect.poll(() => show.evaluate((button) => button.ownerDocument.activeElement === button)).toBe(true)
    expect(new URL(page.url()).searchParams.get('until')).toBe(until)
    expect(faults).toEqual([])
    await page.close()
  }, 120_000)

  test('a buyer renews a CRM at its own page with the code that it shows, and takes several orders away as one file', async () => {
    const isHalfWord = (message: string) => message.includes('400') && message.includes('/connect/finish')
    const { page, faults } = await signedIn(instance(), '/app/destinations', isHalfWord)
    await page.getByRole('link', { name: 'zoho sandbox', exact: true }).click()
    await page.getByText('Renew its credentials').click()
    await page.getByRole('button', { name: 'Sign in at Zoho CRM', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Sign in at Zoho CRM', exact: true }).click()
    const opened = page.context().waitForEvent('page')
    await dialog.getByRole('link', { name: 'Open Zoho CRM’s page', exact: true }).click()
    const vendor = await opened
    await vendor.getByRole('button', { name: 'Allow', exact: true }).click()
    const word = (await vendor.locator('output').textContent()) ?? ''
    await vendor.close()
    await dialog.getByLabel('Code that the page showed', { exact: true }).fill('half a code')
    await dialog.getByRole('button', { name: 'Finish', exact: true }).click()
    const refused = dialog.getByText('“Code that the page showed”: copy the whole code that the browser showed')
    await refused.waitFor()
    // No other code is shown, which would be taken for one that works.
    expect(await refused.textContent()).not.toMatch(/[\w-]{43}/)
    await dialog.getByLabel('Code that the page showed', { exact: true }).fill(word)
    await dialog.getByRole('button', { name: 'Finish', exact: true }).click()
    await dialog.getByText('zoho sandbox is connected').waitFor()
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()
    await follow(page, '/app/destinations/connect')
    await page.getByRole('button', { name: 'Sign in at Salesforce', exact: true }).waitFor()

    await orderSome(instance(), 'Karnataka')
    await follow(page, '/app/orders')
    await page.locator('tbody').getByRole('checkbox').first().waitFor()
    for (const box of (await page.locator('tbody').getByRole('checkbox').all()).slice(0, 2)) await box.check()
    const together = page.getByRole('group', { name: 'What was chosen as one file', exact: true })
    const saved = page.waitForEvent('download')
    await together.getByRole('button', { name: 'CSV', exact: true }).click()
    expect((await saved).suggestedFilename()).toBe('2-orders.csv')
    expect(faults).toEqual([])
    await page.close()
  }, 240_000)
}
