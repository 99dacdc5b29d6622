/** What every list can: it is sorted by its heads, and shows the columns that somebody chose. */
import { expect, test } from 'vitest'
import { violations } from '../../support/browser.ts'
import { type OperatorDesk, patience } from '../../support/operator-desk.ts'

export function describeLists(desk: () => OperatorDesk): void {
  test('a list is sorted by its heads without a mouse, and its address brings the order back', async () => {
    const { page } = desk()
    await page.goto('/console/schedules')
    const list = page.getByRole('region', { name: 'Schedules', exact: true })
    const names = () => list.locator('td[data-head="Name"]').allTextContents()
    const head = list.getByRole('columnheader', { name: /^Name( [↑↓↕])?$/ })
    await head.waitFor()
    const asTheyCame = await names()
    const alphabetical = asTheyCame.toSorted((a, b) => a.localeCompare(b))
    expect(alphabetical.length).toBeGreaterThan(2)
    await head.getByRole('button').focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('ascending')
    expect(await names()).toEqual(alphabetical)
    await page.keyboard.press('Enter')
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('descending')
    expect(await names()).toEqual(alphabetical.toReversed())
    expect(await violations(page)).toEqual([])
    await page.reload()
    await expect.poll(names).toEqual(alphabetical.toReversed())
    await head.getByRole('button').press('Enter')
    await expect.poll(() => head.getAttribute('aria-sort')).toBe(null)
    expect([await names(), new URL(page.url()).search]).toEqual([asTheyCame, ''])
  }, 120_000)

  test('where somebody forces the colours of pages, a day with an import still looks other than one without', async () => {
    const { page } = desk()
    await page.emulateMedia({ forcedColors: 'active' })
    await page.goto('/console/sources')
    const groundOf = (tick: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${tick}')).backgroundColor`)
    await page.locator('.tick.good').first().waitFor()
    expect(await groundOf('.tick.good')).not.toBe(await groundOf('.tick.none'))
    await page.emulateMedia({ forcedColors: null })
  }, 60_000)

  test('a list that a link or a choice has narrowed is whole again with one press, and narrow again with one way back', async () => {
    const { page } = desk()
    const narrowed = () => [...new URL(page.url()).searchParams.keys()]
    const nobodys = '00000000-0000-4000-8000-000000000000'
    await page.goto(`/console/deliveries?account=${nobodys}&order=${nobodys}`)
    await page.getByText('No delivery matches these filters.', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Show those of all accounts', exact: true }).click()
    await expect.poll(narrowed).toEqual([])
    const lead = page.getByRole('region', { name: 'Deliveries', exact: true }).locator('td[data-head="Lead"] a').first()
    expect(await lead.getAttribute('href')).toMatch(/^\/console\/records\/(company|director|gst)\/[\w-]+$/)
    await page.goBack()
    expect(narrowed()).toEqual(['account', 'order'])

    await page.goto('/console/runs')
    await page.getByLabel('Source', { exact: true }).selectOption('mca-companies')
    const sources = page.getByRole('region', { name: 'Imports', exact: true }).locator('td[data-head="Source"]')
    await expect.poll(async () => [...new Set(await sources.allTextContents())]).toEqual(['mca-companies'])
    await page.goBack()
    expect(narrowed()).toEqual([])
  }, 60_000)

  test('an address behind the last page of a list leads to the last one, and one of nothing says so with a way on', async () => {
    const { page } = desk()
    await page.goto('/console/runs')
    const last = page.getByRole('navigation', { name: 'Pages', exact: true }).getByText(/^Page (\d+) of \1 ·/)
    await page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor()
    await page.goto('/console/runs?page=999')
    await last.waitFor()
    await page.getByRole('cell').first().waitFor()
    await page.goBack()
    expect(new URL(page.url()).search).toBe('')

    const first = page.getByRole('main').getByRole('link', { name: /^go to the first page\.?$/i })
    await page.goto('/console/runs/999999999')
    await first.waitFor()
    await page.goto('/console/nowhere')
    await first.click()
    await page.getByRole('heading', { name: 'Health', level: 1, exact: true }).waitFor()
    await page.goBack()
    await expect.poll(() => page.title()).toBe('Page not found · Panji')
  }, 60_000)

  test('what is booked while somebody reads the ledger moves no row to its next page', async () => {
    const { page, call } = desk()
    const { data } = await call<{ data: readonly { user_id: string }[] }>('/admin/users?search=demo@example.com')
    const book = async (from: number, to: number) => {
      for (let n = from; n < to; n++) {
        const body = { credits: n % 2 === 0 ? 1 : -1, reference: `leaf ${n}`, reason: `leaf ${n}` }
        await call(`/admin/users/${data[0]?.user_id}/credits`, body)
      }
    }
    await book(0, 30)
    await page.goto('/console/ledger')
    const rows = page.getByRole('region', { name: 'Transfers', exact: true }).locator('tbody tr')
    const pages = page.getByRole('navigation', { name: 'Pages', exact: true })
    const leaves = async () => (await rows.allTextContents()).flatMap((row) => /leaf \d+/.exec(row)?.[0] ?? [])
    await pages.getByText(/^Page 1 of /).waitFor()
    const first = await leaves()
    await book(30, 32)
    await pages.getByRole('button', { name: 'Next', exact: true }).click()
    await pages.getByText(/^Page 2 of /).waitFor()
    await expect.poll(async () => (await leaves())[0], patience).toBe('leaf 4')
    expect([first[0], first.at(-1)]).toEqual(['leaf 29', 'leaf 5'])
    await pages.getByRole('button', { name: 'Previous', exact: true }).click()
    await pages.getByText(/^Page 1 of /).waitFor()
    expect(new URL(page.url()).search).toBe('')
  }, 120_000)

  test('what happened is read from either end, and the head that was pressed keeps the focus', async () => {
    const { page } = desk()
    await page.goto('/console/audit')
    const list = page.getByRole('region', { name: 'Audit log', exact: true })
    const head = list.getByRole('columnheader', { name: /^At/ })
    const first = () => list.locator('tbody tr').first().textContent()
    const focused = () => head.getByRole('button').evaluate((button) => button.ownerDocument.activeElement === button)
    await head.waitFor()
    const newest = await first()
    await head.getByRole('button').press('Enter')
    await expect.poll(first).toContain('create account')
    expect([await head.getAttribute('aria-sort'), await focused()]).toEqual(['ascending', true])
    await page.reload()
    await expect.poll(first).toContain('create account')
    await head.getByRole('button').press('Enter')
    await expect.poll(first).not.toContain('create account')
    expect([await head.getAttribute('aria-sort'), newest?.includes('create account')]).toEqual(['descending', false])
  }, 120_000)

  test('the sign of a head that sorts takes no room: a narrow list stands in one line a row on a desk', async () => {
    const { page } = desk()
    for (const [path, name] of [
      ['month', 'Sums'],
      ['ledger', 'Balances'],
      ['sources/mca-companies', 'Quality, import by import'],
    ] as const) {
      await page.goto(`/console/${path}`)
      const list = page.getByRole('region', { name, exact: true })
      await list.getByRole('columnheader').first().waitFor()
      await expect.poll(() => list.getAttribute('data-fit'), { message: name }).toBe('line')
    }
  }, 120_000)

  test('columns that somebody leaves out of a list stay out of it in this browser, and of no other list', async () => {
    const { page } = desk()
    await page.goto('/console/schedules')
    const heads = (list: string) =>
      page.getByRole('region', { name: list, exact: true }).locator('thead th').allTextContents()
    await page.getByRole('button', { name: 'Columns of Schedules', exact: true }).click()
    const menu = page.getByRole('menu', { name: 'Columns to show', exact: true })
    expect(await menu.getByRole('menuitemcheckbox').allTextContents()).not.toContain('Name')
    await menu.getByRole('menuitemcheckbox', { name: 'State', checked: true, exact: true }).click()
    await menu.getByRole('menuitemcheckbox', { name: 'What', checked: true, exact: true }).click()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    const rest = ['Name', 'When', 'Last', 'Next', 'Change']
    await expect.poll(() => heads('Schedules')).toEqual(rest)
    await page.reload()
    await expect.poll(() => heads('Schedules')).toEqual(rest)
    await page.goto('/console/accounts')
    await expect.poll(() => heads('Accounts')).toContain('State')
    await page.goto('/console/schedules')
    await page.getByRole('button', { name: 'Columns of Schedules', exact: true }).click()
    for (const name of ['State', 'What'])
      await menu.getByRole('menuitemcheckbox', { name, checked: false, exact: true }).click()
    await page.keyboard.press('Escape')
    // A press on the words of a time shows its line of cron, and Escape hides it.
    await page.getByRole('button', { name: 'Every minute', exact: true }).first().press('Enter')
    const line = page.getByRole('dialog', { name: 'As cron', exact: true })
    await line.getByText('* * * * *').waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await line.waitFor({ state: 'hidden' })
    await expect.poll(() => heads('Schedules')).toHaveLength(rest.length + 2)
    expect(await page.evaluate('Object.keys(localStorage).filter((key) => key.includes("columns"))')).toEqual([])
  }, 120_000)
}
