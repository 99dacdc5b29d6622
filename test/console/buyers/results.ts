/** What a search found, as a buyer shows it: columns, order, a part of a name as it is typed, and all of it chosen with its price. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { cutTables, violations } from '../../support/browser.ts'
import { type ConsoleInstance, signedIn } from '../../support/console-instance.ts'
import { readAnew } from './press.ts'

const heads = 'thead th'

export function describeResults(instance: () => ConsoleInstance): void {
  test('a buyer chooses columns and an order, finds a part of a name as it is typed, and a filter brings its own column', async () => {
    const { page, faults } = await signedIn(
      instance(),
      `/app/search?${new URLSearchParams({ query: "State == 'Karnataka' AND boardSize >= 2" })}`,
    )
    const table = page.getByRole('region', { name: 'Records that were found', exact: true })
    await table.waitFor()
    const shown = () => table.locator(heads).allTextContents()
    expect(await shown()).toEqual([
      'Choose',
      'Name',
      'Registered',
      'Paid-up capital',
      'City',
      'State',
      'Status',
      'Directors',
      'Contacts',
    ])
    await page.getByRole('button', { name: 'Columns', exact: true }).click()
    await page.getByRole('menuitemcheckbox', { name: 'City', checked: true, exact: true }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Class', checked: false, exact: true }).click()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect
      .poll(shown)
      .toEqual(['Choose', 'Name', 'Registered', 'Paid-up capital', 'State', 'Status', 'Class', 'Directors', 'Contacts'])
    await page.getByLabel('Sort', { exact: true }).selectOption('highest capital first')
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('paidUpCapital-')
    await page.waitForLoadState('networkidle')
    const highest = table.locator('tbody td[data-head="Paid-up capital"]').first()
    await expect.poll(() => highest.textContent()).toMatch(/crore$/)

    // A head sorts the whole of what was found, and says so like the choice above it.
    const registered = table.getByRole('columnheader', { name: /^Registered( [↑↓↕])?$/ })
    await registered.getByRole('button').click()
    await expect.poll(() => registered.getAttribute('aria-sort')).toBe('ascending')
    expect(await page.getByLabel('Sort', { exact: true }).inputValue()).toBe('dateOfIncorporation')
    const days = `[...document.querySelectorAll('td[data-head="Registered"] time')].map((at) => at.dateTime)`
    await expect.poll(() => page.evaluate(`${days}.join() === ${days}.toSorted().join()`)).toBe(true)

    await page.getByLabel('Name has', { exact: true }).pressSequentially('ltd')
    await page.getByLabel('Name has', { exact: true }).fill('foods')
    await table.locator('tbody mark').first().waitFor()
    const marked = await table.locator('tbody mark').allTextContents()
    expect(marked.every((letters) => letters.toLowerCase() === 'foods')).toBe(true)
    expect(await violations(page)).toEqual([])
    // Another search shows the columns that were chosen last.
    await page.goto(`/app/search?${new URLSearchParams({ query: "State == 'Goa'" })}`)
    await expect.poll(shown).toContain('Class')
    expect(await shown()).not.toContain('City')
    await page.goBack()
    await table.locator('tbody mark').first().waitFor()
    // What nothing matches says which filters could be dropped.
    await page.getByLabel('Name has', { exact: true }).fill('no such name')
    await page.getByText('Drop one of the filters:').waitFor()
    await page.getByRole('button', { name: 'Name: has “no such name”', exact: true }).click()
    await table.waitFor()
    expect(await page.getByLabel('Name has', { exact: true }).inputValue()).toBe('')
    expect(faults).toEqual([])
    await page.close()
  }, 180_000)

  test('a list is gone through, ticked and opened by single keys, which can be switched off, and rows stand closer where somebody wants it', async () => {
    const { page, faults } = await signedIn(
      instance(),
      `/app/search?${new URLSearchParams({ query: "State == 'Karnataka'" })}`,
    )
    const rows = page.getByRole('region', { name: 'Records that were found', exact: true }).locator('tbody tr')
    await rows.nth(2).waitFor()
    await page.keyboard.press('/')
    expect(await page.evaluate('document.activeElement.type')).toBe('search')
    await page.keyboard.type('jx')
    await page.evaluate('document.activeElement.blur()')
    expect(await rows.getByRole('checkbox', { checked: true }).count()).toBe(0)
    for (const key of 'jjkjx') await page.keyboard.press(key)
    await rows.nth(1).getByRole('checkbox', { checked: true }).waitFor()
    // Who ticked one with the mouse goes on from there.
    await rows.nth(3).getByRole('checkbox').check()
    for (const key of 'jx') await page.keyboard.press(key)
    await rows.nth(4).getByRole('checkbox', { checked: true }).waitFor()

    const height = async () => (await rows.first().boundingBox())?.height ?? 0
    const before = await height()
    await page.getByRole('button', { name: 'Display', exact: true }).click()
    await page.getByRole('menuitemradio', { name: 'Compact', exact: true }).click()
    await page.getByRole('menuitemradio', { name: 'Off', exact: true }).click()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.reload()
    await rows.nth(2).waitFor()
    expect(await height()).toBeLessThan(before)
    expect(await violations(page)).toEqual([])
    for (const key of 'jx') await page.keyboard.press(key)
    expect(await rows.getByRole('checkbox', { checked: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'Display', exact: true }).click()
    await page.getByRole('menuitemradio', { name: 'On', exact: true }).click()
    await page.keyboard.press('Escape')

    // In a narrow window it stays a table, of which nothing is cut.
    await page.setViewportSize({ width: 1120, height: 900 })
    expect(await cutTables(page)).toEqual([])
    expect(
      await page.getByRole('region', { name: 'Records that were found', exact: true }).getAttribute('data-fit'),
    ).toBe('wrap')
    const name = await rows.first().getByRole('link').first().textContent()
    await page.evaluate('document.activeElement.blur()')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: name ?? '', exact: true }).waitFor()
    expect(faults).toEqual([])
    await page.close()
  }, 180_000)

  test('who comes back to a search, to a preview of a standing order or to its window uses up nothing of the day', async () => {
    const query = 'paidUpCapital >= 1 lakh'
    const { page, faults } = await signedIn(instance(), `/app/search?${new URLSearchParams({ query })}`)
    const counted: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (/\/(?:search|facets|preview)$/.test(pathname) && request.method() === 'POST') counted.push(pathname)
    })
    const comeBack = async () => {
      await page.waitForLoadState('networkidle')
      counted.length = 0
      const again = page.waitForResponse('**/api/credits/lots')
      await page.evaluate(readAnew)
      await again
      await page.waitForLoadState('networkidle')
      expect(counted).toEqual([])
    }
    await page.getByRole('region', { name: 'Records that were found', exact: true }).waitFor()
    await comeBack()
    await page.goto(`/app/standing-orders/make?${new URLSearchParams({ query })}`)
    await page.getByRole('region', { name: 'By the day of registration', exact: true }).waitFor()
    await comeBack()
    expect(faults).toEqual([])
    await page.close()
  }, 120_000)

  test('the file of a search with more records than one order takes says where it ends', async () => {
    const { page, faults } = await signedIn(instance(), "/app/search?query=llpStatus+%3D%3D+'Active'")
    const heading = page.getByRole('heading', { name: /records found$/ })
    expect(Number((await heading.textContent())?.replaceAll(/\D/g, ''))).toBeGreaterThan(1_000)
    const download = page.getByRole('button', { name: /CSV$/ })
    expect(await download.textContent()).toBe('Download the first 1,000 as CSV')
    expect(faults).toEqual([])
    await page.close()
  }, 120_000)

  test('a buyer selects all that match, is told the price before it is asked for, and takes the list along; what is owned is marked', async () => {
    const query = "State == 'Gujarat' AND llpStatus == 'Active' AND has_mobile"
    const { page, faults } = await signedIn(instance(), `/app/search?${new URLSearchParams({ query })}`)
    const table = page.getByRole('region', { name: 'Records that were found', exact: true })
    await table.waitFor()
    const [, total = ''] =
      /^(\d+) records found$/.exec((await page.getByRole('heading', { name: /found$/ }).textContent()) ?? '') ?? []
    expect(Number(total)).toBeGreaterThan(25)
    // Nobody buys the few that were chosen before, or all while the button still says few.
    await page.getByRole('button', { name: 'Choose all on this page', exact: true }).click()
    await page.getByRole('button', { name: /^Buy 25 leads/ }).waitFor()
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/api/screener/search', async (route) => {
      await held
      await route.continue()
    })
    await page.getByRole('button', { name: `Select all ${total} that match`, exact: true }).click()
    await page.getByRole('button', { name: /^Selecting/ }).waitFor()
    expect(await page.getByRole('button', { name: /^Buy 25 leads/ }).isDisabled()).toBe(true)
    answer()
    await page
      .getByRole('button', { name: `Buy ${total} leads · ${total} credits · ${total} with mobile`, exact: true })
      .waitFor()

    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV', exact: true }).click()
    const lines = readFileSync(await (await download).path(), 'utf8')
      .trim()
      .split('\r\n')
    expect(lines.length).toBe(Number(total) + 1)
    expect(lines[0]).toBe('Name,Identifier,Registered,Paid-up capital,City,State,Status,Mobile,E-mail,Website,Owned')
    expect(lines[1]).toMatch(/,yes,(?:yes|no),(?:yes|no),no$/)

    await page.getByRole('button', { name: 'Select none', exact: true }).click()
    for (const box of (await table.locator('tbody').getByRole('checkbox').all()).slice(0, 2)) await box.check()
    await page.getByRole('button', { name: 'Buy 2 leads · 2 credits · 2 with mobile', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('It costs 2 credits').waitFor()
    await dialog.getByLabel('Name of the order', { exact: true }).fill('Two of Gujarat')
    await dialog.getByRole('button', { name: /^Buy 2 leads/ }).click()
    await page.getByRole('heading', { name: 'Two of Gujarat', exact: true }).waitFor()
    await page.getByText('completed', { exact: true }).waitFor()
    await page.goto(`/app/search?${new URLSearchParams({ query })}`)
    await table.getByText('owned', { exact: true }).nth(1).waitFor()
    for (const box of (await table.locator('tbody').getByRole('checkbox').all()).slice(0, 3)) await box.check()
    await page.getByRole('button', { name: 'Buy 3 leads · 1 credit · 3 with mobile', exact: true }).waitFor()
    await page
      .getByRole('region', { name: 'Filters', exact: true })
      .getByRole('checkbox', { name: /^Not owned yet/ })
      .check()
    await page.getByRole('heading', { name: `${Number(total) - 2} records found`, exact: true }).waitFor()
    expect(faults).toEqual([])
    await page.close()
  }, 180_000)
}
