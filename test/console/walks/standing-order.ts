/**
 * A lead that arrives automatically: a query that was searched becomes a standing order, its preview is looked at, it is switched on,
 * and the next day's import brings a lead into the sandbox CRM. All of it by the pages, but for the import, which is an operator's.
 */
import { expect, test } from 'vitest'
import { violations } from '../../support/browser.ts'
import { type ConsoleInstance, signedIn } from '../../support/console-instance.ts'
import { importNextDay } from '../../support/next-day.ts'
import { asProgram } from '../as-program.ts'
import { press } from '../buyers/press.ts'
import { expectNoOtherFaults, sandboxOf, seeInSandbox } from '../seen-in-sandbox.ts'

export function describeStandingOrders(instance: () => ConsoleInstance): void {
  test('a buyer makes a standing order of a phrase, and a lead of the next import is in the CRM', async () => {
    const sandbox = sandboxOf(instance())
    const { page, faults } = await signedIn(instance(), '/app/standing-orders')
    // The sample world's own one would have the same companies first.
    await page.getByRole('link', { name: 'New companies in Goa', exact: true }).click()
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    await press(page, 'Pause')
    await page.getByText('paused', { exact: true }).waitFor()

    await page.goto('/app/search')
    await page
      .getByRole('searchbox', { name: 'What are you looking for?', exact: true })
      .fill('companies with at least 1 lakh capital')
    await page.getByRole('button', { name: 'Find', exact: true }).click()
    await page.getByRole('heading', { name: /[\d,]+ records found/ }).waitFor()
    expect(new URL(page.url()).searchParams.get('query')).toBe('paidUpCapital >= 1 lakh')
    await page.getByRole('link', { name: 'Make a standing order', exact: true }).click()
    // What it would have found stands beside what is written, and follows it.
    const preview = page.getByRole('region', { name: 'By the day of registration', exact: true })
    const firstDay = preview.locator('tbody tr').first().getByRole('cell')
    await firstDay.first().waitFor()
    const [, matches = ''] = await firstDay.allTextContents()
    await page.getByLabel('Name', { exact: true }).fill('Young and funded')
    await page.getByLabel('Only with a mobile number', { exact: true }).check()
    await page.getByLabel('Credits a day at most', { exact: true }).fill('2')
    await page.getByLabel('Credits a month at most', { exact: true }).fill('40')
    await page.getByLabel('Credits a run at most', { exact: true }).fill('2')
    await page.getByLabel('Deliver into salesforce sandbox', { exact: true }).check()
    await page.getByRole('button', { name: 'Preview', exact: true }).click()
    // No day is dearer than the budget of a day, now that it is two.
    await expect.poll(async () => Number((await firstDay.allTextContents())[4])).toBeLessThanOrEqual(2)
    expect(Number((await firstDay.allTextContents())[1])).toBeLessThanOrEqual(Number(matches))
    await preview.getByRole('button', { name: 'Show', exact: true }).first().click()
    await page.getByRole('region', { name: 'Records of the day', exact: true }).getByRole('link').first().waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Young and funded').first().waitFor()
    await page.getByText('the newest first').waitFor()

    // What it would have found, before a credit may move.
    await preview.locator('tbody tr').first().waitFor()
    await page.getByRole('button', { name: 'Switch on', exact: true }).click()
    await press(page, 'Switch on')
    await page.getByText('active', { exact: true }).waitFor()
    await page.getByText('No import has brought a match yet.').waitFor()

    await importNextDay(instance().home)
    const run = page.getByRole('region', { name: 'Runs', exact: true }).locator('tbody tr')
    // The first run waits for somebody, who sees what it found.
    await expect.poll(() => run.count(), { timeout: 60_000 }).toBe(1)
    await run.getByRole('button', { name: 'Approve', exact: true }).click()
    expect(await page.getByRole('dialog').getByRole('listitem').count()).toBeGreaterThan(2)
    await press(page, 'Approve')
    await run.getByText('finished', { exact: true }).waitFor()
    const [bought, notBought, credits] = (await run.getByRole('cell').allTextContents()).slice(3, 6)
    expect([bought, credits]).toEqual(['2', '2'])
    const [, over] = /(\d+) over the budget/.exec(notBought ?? '') ?? []
    expect(Number(over)).toBeGreaterThanOrEqual(4)

    await run.getByRole('link', { name: 'See the leads', exact: true }).click()
    await seeInSandbox(page, sandbox)
    expectNoOtherFaults(faults, sandbox)
    await page.close()
  }, 240_000)

  test('what was written of a standing order outlasts a reload and a way to another page, until it is saved or dropped', async () => {
    const { page, faults } = await signedIn(instance(), '/app/standing-orders/make')
    const [name, most] = [
      page.getByLabel('Name', { exact: true }),
      page.getByLabel('Credits a day at most', { exact: true }),
    ]
    await name.fill('Half-written')
    await page.getByLabel('Query', { exact: true }).fill("State == 'Goa'")
    await page.getByLabel('Only active records', { exact: true }).uncheck()
    await most.fill('7')
    for (const leave of [
      () => page.reload(),
      async () => {
        await page.getByRole('link', { name: 'Orders', exact: true }).click()
        await page.getByRole('heading', { name: 'Orders', level: 1, exact: true }).waitFor()
        await page.goBack()
      },
    ]) {
      await leave()
      await page.getByText('You started this and did not save it').waitFor()
      expect([await name.inputValue(), await most.inputValue()]).toEqual(['Half-written', '7'])
      expect(await page.getByLabel('Query', { exact: true }).inputValue()).toBe("State == 'Goa'")
      expect(await page.getByLabel('Only active records', { exact: true }).isChecked()).toBe(false)
    }
    // The standing order of a query that was searched is another.
    await page.goto(`/app/standing-orders/make?${new URLSearchParams({ query: "State == 'Goa'" })}`)
    await name.waitFor()
    expect(await name.inputValue()).toBe('')
    await page.goBack()
    await page.getByRole('link', { name: 'Not now', exact: true }).click()
    await page.goto('/app/standing-orders/make')
    await name.waitFor()
    expect([await name.inputValue(), await most.inputValue()]).toEqual(['', '20'])
    expect(faults).toEqual([])
    await page.close()
  }, 60_000)

  test('if two windows change a standing order, the second shows what the first changed and loses nothing', async () => {
    const { page, faults } = await signedIn(instance(), '/app/standing-orders', (told) => told.includes('409'))
    await page.getByRole('link', { name: 'New companies in Goa', exact: true }).click()
    const opened = page.waitForURL('**/change')
    await page.getByRole('link', { name: 'Change', exact: true }).click()
    await opened
    const [day, name, month] = ['Credits a day at most', 'Name', 'Credits a month at most'] as const
    await page.getByLabel(name, { exact: true }).fill('Goa by both')
    await page.getByLabel(month, { exact: true }).fill('150')
    const call = await asProgram(instance())
    await call('PATCH', new URL(page.url()).pathname.replace(/^\/app(.*)\/change$/, '/api$1'), {
      budget: { day: 3, month: 90, run: 10 },
    })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const told = page.getByRole('alert')
    await told.getByText('Someone changed this standing order while this was open.').waitFor()
    expect(await told.getByRole('listitem').allTextContents()).toEqual([
      `${day}: 20 → 3`,
      `${month}: 200 → 90; yours is 150 and would replace it`,
    ])
    const form = () =>
      Promise.all([name, day, month].map((label) => page.getByLabel(label, { exact: true }).inputValue()))
    expect(await form()).toEqual(['Goa by both', '3', '150'])
    expect(await violations(page)).toEqual([])
    // What was merged outlasts a reload, too.
    await page.reload()
    await page.getByText('You started this and did not save it').waitFor()
    expect(await form()).toEqual(['Goa by both', '3', '150'])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'Goa by both', level: 1, exact: true }).waitFor()
    for (const spent of ['0 of 3', '0 of 150']) await page.getByText(spent).waitFor()
    await page.getByRole('link', { name: 'Change', exact: true }).click()
    await page.getByLabel(name, { exact: true }).fill('New companies in Goa')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'New companies in Goa', level: 1, exact: true }).waitFor()
    expect(faults).toEqual([])
    await page.close()
  }, 120_000)

  test('a standing order that only notifies says on the page that changes it that it buys nothing', async () => {
    const { page, faults } = await signedIn(
      instance(),
      `/app/search?${new URLSearchParams({ query: "State == 'Goa'" })}`,
    )
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByLabel('Name', { exact: true }).fill('Goa')
    await press(page, 'Save')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.goto('/app/screeners')
    await page.getByRole('button', { name: 'Notify me', exact: true }).click()
    await press(page, 'Notify me')
    await page.getByRole('link', { name: 'See it', exact: true }).click()
    await page.getByRole('link', { name: 'Change', exact: true }).click()
    await page.getByText('It notifies you of what begins to match, and buys nothing.').waitFor()
    expect(await page.getByLabel('Credits a day at most', { exact: true }).count()).toBe(0)
    expect(faults).toEqual([])
    await page.close()
  }, 60_000)
}
