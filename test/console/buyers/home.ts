/** Home: a new account sees its first steps; one that works sees what is new, what arrived, what it has left, and what was rejected. */
import { expect, test } from 'vitest'
import { violations } from '../../support/browser.ts'
import { type ConsoleInstance, signedIn } from '../../support/console-instance.ts'
import { follow } from '../../support/page-links.ts'
import { newAccount } from '../new-account.ts'

export function describeHome(instance: () => ConsoleInstance): void {
  test('a new account without a plan sees what it can do and where plans are, and neither an error nor a code', async () => {
    const key = await newAccount(instance(), 'new-to-it@example.com')
    const { page, faults } = await signedIn({ ...instance(), apiKey: key }, '/app')
    const steps = page.getByRole('region', { name: 'Get started', exact: true }).getByRole('listitem')
    await steps.first().waitFor()
    expect(await steps.getByRole('heading').allTextContents()).toEqual([
      '1. Find companies',
      '2. Buy their leads',
      '3. Send them to your CRM',
    ])
    expect(await page.getByText('not in your plan').count()).toBe(3)
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await page.getByRole('main').textContent()).not.toMatch(/[a-z]_[a-z]|[A-Z]{3}_/)
    expect(await violations(page)).toEqual([])
    await steps.getByRole('link', { name: 'Connect a CRM', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Connect a CRM', exact: true }).waitFor()
    expect(faults).toEqual([])
    await page.close()
  }, 180_000)

  test('an account that works sees new records of its saved screeners, the leads of the week and its credits', async () => {
    const { page, faults } = await signedIn(
      instance(),
      `/app/search?${new URLSearchParams({ query: "State == 'Goa'" })}`,
    )
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Goa, whole')
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Home', exact: true }).click()
    const week = page.getByRole('region', { name: 'This week', exact: true })
    // The sample was imported since a week ago, which is when somebody who was never here was here last.
    const saved = week
      .getByRole('region', { name: 'Saved screeners', exact: true })
      .getByRole('listitem')
      .filter({ hasText: 'Goa, whole' })
    await saved.waitFor()
    expect(await saved.textContent()).toMatch(/^Goa, whole[1-9]\d*$/)
    await week.getByRole('img', { name: /^\d+ delivered in seven days$/ }).waitFor()
    expect(
      Number(await week.getByRole('region', { name: 'Leads', exact: true }).locator('.figure').textContent()),
    ).toBeGreaterThan(0)
    expect(
      Number(await week.getByRole('region', { name: 'Credits', exact: true }).locator('.figure').textContent()),
    ).toBeGreaterThan(0)
    expect(await violations(page)).toEqual([])
    // The last visit was at half past one in the night, which in UTC is the evening before.
    const before = new Date(Date.now() - 3 * 86_400_000)
    before.setUTCHours(20, 0, 0, 0)
    const visits = JSON.stringify({ before, latest: new Date() })
    await page.evaluate(`localStorage.setItem('panji.home', ${JSON.stringify(visits)})`)
    await page.reload()
    const day = new Intl.DateTimeFormat('en-IN', { dateStyle: 'medium', timeZone: 'Asia/Kolkata' }).format(before)
    await saved.waitFor()
    expect(await week.getByRole('heading', { name: /^New since/ }).textContent()).toBe(`New since ${day}`)
    await saved.getByRole('link').click()
    await page.getByRole('region', { name: 'Chosen filters', exact: true }).getByText('State: Goa').waitFor()
    await follow(page, '/app/screeners')
    await page
      .getByRole('row')
      .filter({ hasText: 'Goa, whole' })
      .getByRole('button', { name: 'Delete', exact: true })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(faults).toEqual([])
    await page.close()
  }, 180_000)
}
