/**
 * What a buyer looks at: a company, its directors and its GST registrations, walked by keyboard; the feed on a map, one state and one
 * day of it.
 */
import { expect, test } from 'vitest'
import { violations } from '../../support/browser.ts'
import { type ConsoleInstance, signedIn } from '../../support/console-instance.ts'
import { exampleCin } from './press.ts'

export function describeLooking(instance: () => ConsoleInstance): void {
  test('in print, which is read on other days, a time of today is shown with its date', async () => {
    const { page, faults } = await signedIn(instance(), '/app/orders')
    const moment = "document.querySelector('main time')"
    const seen = () =>
      page.evaluate(`({
        words: getComputedStyle(${moment}).fontSize !== '0px',
        date: getComputedStyle(${moment}, '::before').content,
      })`)
    await page
      .locator('main time')
      .filter({ hasText: /^today, .* IST$/ })
      .first()
      .waitFor()
    expect(await seen()).toEqual({ words: true, date: 'none' })
    await page.emulateMedia({ media: 'print' })
    expect(await seen()).toEqual({
      words: false,
      date: expect.stringMatching(/^"\d{1,2} [A-Z][a-z]+ \d{4}, \d{1,2}:\d\d [ap]m IST"$/),
    })
    expect(faults).toEqual([])
    await page.close()
  }, 120_000)

  test('of a record that is not bought the page says what a lead would show, and shows no contact', async () => {
    const query = "owned == 'No' AND has_email == 'Yes'"
    const { page, faults } = await signedIn(
      instance(),
      `/app/search?${new URLSearchParams({ query, type: 'company' })}`,
    )
    const first = page.locator('main tbody a').first()
    await first.click()
    await page.getByText(/^Known: .*Its lead costs 1 credit, and adds, where they are known: /).waitFor()
    expect(await page.getByRole('region', { name: 'Ways to reach it', exact: true }).count()).toBe(0)
    expect(await page.locator('main a[href^="mailto:"], main a[href^="tel:"]').count()).toBe(0)
    expect(faults).toEqual([])
    await page.close()
  }, 120_000)

  test('a buyer walks from a company to a director and back by keyboard, and looks for its GST registrations', async () => {
    const { page, faults } = await signedIn(instance(), `/app/record/company/${exampleCin(instance())}`)
    await page
      .getByText(/^₹[\d,]+\.00$/)
      .first()
      .waitFor()
    const graph = page.getByRole('figure', { name: /^What .* belongs to$/ })
    const company = (await graph.locator('.here').textContent()) ?? ''
    // How it stands in one line, what a lead would bring, and what each CRM has of it.
    await page.getByText(/^registered /).waitFor()
    const ways = page.getByRole('region', { name: 'Ways to reach it', exact: true })
    await page.getByText('Its lead is yours:').waitFor()
    const channels = await ways.locator('td[data-head="Channel"]').allTextContents()
    expect(channels.length).toBeGreaterThan(0)
    expect(await ways.locator('td[data-head="Contact"] a').count()).toBe(channels.length)
    expect(await ways.locator('td[data-head="Age"]').first().textContent()).toMatch(/ago|yesterday|today/)
    const crms = page.getByRole('region', { name: 'In your CRMs', exact: true })
    await crms.getByRole('row').nth(3).waitFor()
    // Another test may have bought it again, which changes nothing there.
    const states = await crms.locator('td[data-head="State"]').allTextContents()
    expect(states.filter((state) => /^(?:created|unchanged)$/.test(state)).length).toBe(3)
    await page
      .getByRole('button', { name: /^Other companies of / })
      .first()
      .click()
    await page
      .getByText(/^also in |^in no other company$/)
      .first()
      .waitFor()
    expect(await violations(page)).toEqual([])
    const director = graph.getByRole('link').first()
    const name = (await director.textContent()) ?? ''
    await director.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    await graph.getByRole('link', { name: company, exact: true }).first().waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: company, exact: true }).waitFor()
    await page.getByRole('button', { name: 'Find GST registrations of this name', exact: true }).click()
    await page
      .getByText(/GST registration of that legal name|holds none of this name/)
      .first()
      .waitFor()
    // What was opened stands in the address, and goes back with it.
    await page.getByRole('button', { name: /^Show what changed/ }).click()
    await page.getByText('first seen').first().waitFor()
    await page
      .getByRole('region', { name: 'Capital over time', exact: true })
      .getByText(/lakh|crore|₹/)
      .first()
      .waitFor()
    await page.reload()
    await page.getByText('first seen').first().waitFor()
    const entries = page.locator('.timeline > li')
    const all = await entries.count()
    expect(all).toBeGreaterThan(1)
    // A long history comes in pages; those of the server are made short here.
    await page.route('**/api/company/history?**', (route) =>
      route.continue({ url: route.request().url().replace('limit=100', 'limit=1') }),
    )
    await page.reload()
    for (let seen = 1; seen < all; seen++) {
      await expect.poll(() => entries.count()).toBe(seen)
      await page.getByRole('button', { name: 'Show more (counts as one detail)', exact: true }).click()
    }
    await expect.poll(() => entries.count()).toBe(all)
    await page.getByRole('button', { name: /^Show more/ }).waitFor({ state: 'detached' })
    await page.unroute('**/api/company/history?**')
    await page.goBack()
    await page.getByRole('button', { name: /^Show what changed/ }).waitFor()
    expect(faults).toEqual([])
    await page.close()
  }, 240_000)

  test('a buyer sees the feed on a map, one state and one day of it, and the address holds both', async () => {
    const { page, faults } = await signedIn(instance(), '/app/feeds')
    const map = page.getByRole('group', { name: /^Registrations by state/ })
    const tile = map.getByRole('button').first()
    const told = (await tile.textContent()) ?? ''
    const [, state = '', amount = ''] = /^\w\w (.+): (.+)$/.exec(told) ?? []
    await tile.click()
    await page.getByRole('heading', { name: new RegExp(`^${amount} registrations?$`) }).waitFor()
    expect(new URL(page.url()).searchParams.get('state')).toBe(state)
    await page.reload()
    await page.getByRole('heading', { name: new RegExp(`^${amount} registrations?$`) }).waitFor()
    expect(await map.getByRole('button', { name: told, exact: true }).getAttribute('aria-pressed')).toBe('true')
    const chosen = page.getByLabel('State', { exact: true })
    expect(await chosen.inputValue()).toBe(state)
    await chosen.selectOption('')
    await page.getByText('Choose a day').click()
    await page
      .getByRole('region', { name: 'Registrations by day', exact: true })
      .locator('tbody button')
      .first()
      .click()
    await page.getByRole('button', { name: 'All days', exact: true }).waitFor()
    expect(new URL(page.url()).search).toMatch(/from=(\d{4}-\d{2}-\d{2}).*&to=\1/)
    await page.getByRole('button', { name: 'All days', exact: true }).click()
    await page.getByText('In the last 30 days.').waitFor()
    expect(new URL(page.url()).search).toBe('')
    expect(faults).toEqual([])
    await page.close()
  }, 240_000)
}
