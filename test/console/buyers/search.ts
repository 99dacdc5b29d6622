/**
 * A buyer's search, told by clicks and by keys: what is searched for is fixed where it is wrong, narrowed, ordered and paid with
 * credits, and becomes leads on the page.
 */
import { expect, test } from 'vitest'
import { violations } from '../../support/browser.ts'
import { type ConsoleInstance, signedIn } from '../../support/console-instance.ts'

// A browser tells in its console of each answer that is a refusal, and a query with a mistake is refused.
const isMistake = (message: string) => message.includes('422') && message.includes('/api/screener/')

/** The first of a status that a search finds. */
async function taxpayerOf({ url, apiKey }: ConsoleInstance, status: string): Promise<string> {
  const ask = async <T>(path: string, body: object, token?: string): Promise<T> => {
    const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) }
    return (await (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as T
  }
  const { token } = await ask<{ token: { access_token: string } }>('/api/auth/login', { api_key: apiKey })
  const search = { query: `Status == '${status}'`, type: 'gst', page: 1, limit: 1 }
  const { results } = await ask<{ results: readonly { GSTIN: string }[] }>(
    ...(['/api/screener/search', search, token.access_token] as const),
  )
  return results[0]?.GSTIN ?? ''
}

export function describeSearch(instance: () => ConsoleInstance): void {
  test('a buyer sees how many of the selected records are inactive, and they are left out unless the box is unticked', async () => {
    const [cancelled, active] = [await taxpayerOf(instance(), 'Cancelled'), await taxpayerOf(instance(), 'Active')]
    const query = `GSTIN == '${cancelled}' OR GSTIN == '${active}'`
    const { page, faults } = await signedIn(instance(), `/app/search?${new URLSearchParams({ query, type: 'gst' })}`)
    await page.getByRole('heading', { name: '2 records found', exact: true }).waitFor()
    for (const box of await page.locator('tbody').getByRole('checkbox').all()) await box.check()
    await page.getByRole('button', { name: /^Buy 1 lead · / }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('heading', { name: 'Buy 1 lead', exact: true }).waitFor()
    const told = dialog.getByRole('listitem').filter({ hasText: 'gst' })
    await told.getByText(/of 2 can be reached, 1 inactive, left out/).waitFor()
    await dialog.getByLabel('Leave out inactive records', { exact: true }).uncheck()
    await told.getByText(/of 2 can be reached, 1 inactive[,.] (?!left out)/).waitFor()
    await dialog.getByRole('heading', { name: 'Buy 2 leads', exact: true }).waitFor()
    await dialog.getByLabel('Leave out inactive records', { exact: true }).check()
    await told.getByText(/1 inactive, left out/).waitFor()
    await dialog.getByLabel('Name of the order', { exact: true }).fill('Only who is active')
    await dialog.getByRole('button', { name: /^Buy 1 lead · / }).click()
    await page.locator('.toast').getByText('1 lead ordered.').waitFor()
    await page.getByRole('heading', { name: 'Only who is active', exact: true }).waitFor()
    const ordered = page.getByRole('region', { name: 'Records of the order', exact: true }).locator('tbody tr')
    await ordered.first().waitFor()
    expect(await ordered.count()).toBe(1)
    expect(await ordered.textContent()).toContain(active)
    expect(faults).toEqual([])
    await page.close()
  }, 180_000)

  test('a search whose query was changed before it answered is given up, and leaves its place to the next', async () => {
    const { page, faults } = await signedIn(instance(), '/app')
    let isHeld = true
    const held = new Set<string>()
    await page.route('**/api/screener/{search,facets}', (route) =>
      isHeld ? held.add(new URL(route.request().url()).pathname) : route.continue(),
    )
    const givenUp = new Set<string>()
    page.on('requestfailed', (request) => {
      const { pathname } = new URL(request.url())
      if (held.has(pathname)) givenUp.add(`${pathname} ${request.failure()?.errorText}`)
    })
    await page.goto("/app/search?query=State+%3D%3D+'Kerala'")
    await expect.poll(() => held.size).toBe(2)
    isHeld = false
    await page.getByRole('searchbox', { name: 'What are you looking for?', exact: true }).fill('companies in Goa')
    await page.getByRole('button', { name: 'Find', exact: true }).click()
    await page.getByRole('heading', { name: /\d records? found$/ }).waitFor()
    await expect
      .poll(() => [...givenUp].toSorted())
      .toEqual(['facets', 'search'].map((each) => `/api/screener/${each} net::ERR_ABORTED`))
    expect(faults).toEqual([])
    await page.close()
  }, 180_000)

  test('a buyer fixes a query with a click, orders what it finds, and sees the leads', async () => {
    const { page, faults } = await signedIn(instance(), '/app', isMistake)
    await page.getByRole('link', { name: 'Search', exact: true }).click()
    await page.getByText('Query language', { exact: true }).click()
    const editor = page.getByRole('textbox', { name: 'Query', exact: true })
    await editor.pressSequentially("State = 'Maharashtra'")
    await page.keyboard.press('Escape')
    await page.locator('.cm-lintRange-error').hover()
    await page.getByRole('button', { name: 'Action: Write ==.', exact: true }).click()
    await page.getByText(/Finds [1-9][\d,]* records/).waitFor()
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByRole('heading', { name: /\d records found/ }).waitFor()

    // A filter narrows the query, and stands among the chosen ones; taking it out again widens it.
    const filters = page.getByRole('region', { name: 'Filters', exact: true })
    const [, found = ''] =
      /^([\d,]+)/.exec((await page.getByRole('heading', { name: /found$/ }).textContent()) ?? '') ?? []
    await filters.getByRole('checkbox', { name: /^Has mobile / }).check()
    await page
      .getByRole('heading', { name: /found$/ })
      .filter({ hasNotText: `${found} ` })
      .waitFor()
    const asked = () => new URL(page.url()).searchParams.get('query')
    expect(asked()).toBe("State == 'Maharashtra' AND has_mobile")
    const chosen = page.getByRole('region', { name: 'Chosen filters', exact: true })
    expect(await chosen.getByRole('listitem').allTextContents()).toEqual([
      'State: Maharashtra×',
      'Has mobile×',
      'Clear all',
    ])
    await chosen.getByRole('button', { name: 'Without Has mobile', exact: true }).click()
    await page.getByRole('heading', { name: `${found} records found`, exact: true }).waitFor()
    // The query language says the same as the filters.
    expect(await editor.textContent()).toBe("State == 'Maharashtra'")
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    expect(asked()).toBe("State == 'Maharashtra'")

    // What is chosen on one page stays chosen on the next.
    for (const box of (await page.locator('tbody').getByRole('checkbox').all()).slice(0, 2)) await box.check()
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await page.getByText('2 records of other pages are chosen, too.').waitFor()
    await page.locator('tbody').getByRole('checkbox').first().check()
    await page.getByRole('button', { name: /^Buy \d leads?/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name of the order', { exact: true }).fill('Three of Maharashtra')
    await dialog.getByLabel('Leave out inactive records', { exact: true }).uncheck()
    await dialog.getByRole('button', { name: 'Buy 3 leads', exact: true }).click()

    await page.getByRole('heading', { name: 'Three of Maharashtra', exact: true }).waitFor()
    await page.getByText('completed', { exact: true }).waitFor()
    const leads = page.getByRole('region', { name: 'Leads of the order', exact: true })
    await leads.getByRole('row').nth(1).waitFor()
    expect(await page.getByRole('region', { name: 'Records of the order', exact: true }).getByRole('row').count()).toBe(
      4,
    )
    // What could not be reached was given back; the rest are leads.
    const refunded = await page.getByText('none, refunded').count()
    expect(await leads.getByRole('row').count()).toBe(4 - refunded)
    expect(faults).toEqual([])
    await page.close()
  }, 180_000)

  test('a buyer types plain words: what is understood becomes chips and a query, what is not is marked, and the query language says the same', async () => {
    const { page, faults } = await signedIn(instance(), '/app')
    await page.getByRole('link', { name: 'Search', exact: true }).click()
    const box = page.getByRole('searchbox', { name: 'What are you looking for?', exact: true })
    await box.fill('shiny private companies in Maharashtra')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /\d records found/ }).waitFor()
    // Whoever goes by keyboard or hears the page is where the words were typed.
    expect(await page.evaluate('document.activeElement.type')).toBe('search')
    const read = page.getByRole('region', { name: 'Read as', exact: true })
    expect(await read.getByRole('listitem').allTextContents()).toEqual(['private×', 'Maharashtra×', 'shiny×'])
    expect(await read.locator('mark').allTextContents()).toEqual(['shiny'])
    const asked = () => new URL(page.url()).searchParams.get('query')
    expect(asked()).toBe("classOfCompany == 'Private' AND State == 'Maharashtra'")

    // A chip that is taken out widens the search, and the query language says the same.
    await read.getByRole('button', { name: 'Without private', exact: true }).click()
    await page.getByText('shiny companies in Maharashtra').or(box).first().waitFor()
    await expect.poll(asked).toBe("State == 'Maharashtra'")
    expect(await box.inputValue()).toBe('shiny companies in Maharashtra')
    await page.getByText('Query language', { exact: true }).click()
    const editor = page.getByRole('textbox', { name: 'Query', exact: true })
    expect(await editor.textContent()).toBe("State == 'Maharashtra'")
    // What is written there is no longer what the words said.
    await editor.press('Control+End')
    await editor.pressSequentially(" AND classOfCompany == 'Public'")
    await page.keyboard.press('Control+Enter')
    await expect.poll(asked).toContain('Public')
    expect(new URL(page.url()).searchParams.get('phrase')).toBeNull()
    expect(await read.count()).toBe(0)
    expect(faults).toEqual([])
    await page.close()
  }, 180_000)

  test('a buyer searches by filters alone: each says what it would leave, and what leads to nothing cannot be chosen', async () => {
    const { page, faults } = await signedIn(instance(), '/app/search')
    const filters = page.getByRole('region', { name: 'Filters', exact: true })
    const asked = () => new URL(page.url()).searchParams.get('query')
    const found = page.getByRole('heading', { name: /records? found$/ })
    const maharashtra = filters.getByRole('checkbox', { name: /^Maharashtra / })
    const [, said = ''] = /([\d,]+)$/.exec((await maharashtra.locator('..').textContent()) ?? '') ?? []
    await maharashtra.check()
    await page.getByRole('heading', { name: `${said} records found`, exact: true }).waitFor()
    await filters.getByRole('checkbox', { name: /^Delhi / }).check()
    await expect.poll(asked).toBe("State IN ['Maharashtra', 'Delhi']")
    await filters.getByRole('checkbox', { name: /^₹1 crore or more / }).check()
    await expect.poll(asked).toBe("State IN ['Maharashtra', 'Delhi'] AND paidUpCapital >= 1 crore")
    // Another bound takes the place of the first.
    const capital = filters.locator('form').filter({ has: page.getByLabel('Unit', { exact: true }) })
    await capital.getByLabel('from', { exact: true }).fill('2.5')
    await capital.getByLabel('to', { exact: true }).fill('5000')
    await capital.getByRole('button', { name: 'Set', exact: true }).click()
    await expect.poll(asked).toBe("State IN ['Maharashtra', 'Delhi'] AND paidUpCapital BETWEEN 2.5 lakh AND 5000 lakh")
    await filters.getByText('Industry', { exact: true }).click()
    await filters.getByLabel('Find a value', { exact: true }).fill('software')
    await filters.getByRole('button', { name: 'Any with “software”', exact: true }).click()
    await expect.poll(asked).toContain(" AND NICDesc CONTAINS 'software'")
    await found.waitFor()
    const chosen = page.getByRole('region', { name: 'Chosen filters', exact: true })
    expect(await chosen.getByRole('listitem').allTextContents()).toEqual([
      'State: Maharashtra or Delhi×',
      'Paid-up capital: ₹2.5 lakh to ₹50 crore×',
      'Industry: has “software”×',
      'Clear all',
    ])
    // What is found by it is found by its address, and what would find nothing is shown and cannot be ticked.
    await page.goto(`/app/search?${new URLSearchParams({ query: "State == 'Goa' AND (has_mobile OR has_email)" })}`)
    await page.getByText('The part in code was written in the query language').waitFor()
    await filters.getByText('Status', { exact: true }).click()
    const empty = filters.locator('li').filter({ hasText: /\D0$/ }).getByRole('checkbox').first()
    await empty.waitFor()
    expect(await empty.isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'GST', exact: true }).click()
    await expect.poll(asked).toBeNull()
    await filters.getByText('HSN code', { exact: true }).click()
    await filters.getByLabel('Goods in words', { exact: true }).fill('medicament')
    await filters.getByRole('button', { name: 'Find', exact: true }).click()
    await filters.getByRole('checkbox', { name: /^3004 / }).check()
    await expect.poll(asked).toBe("hsncd STARTS_WITH '3004'")
    await found.waitFor()
    expect(await violations(page)).toEqual([])
    expect(faults).toEqual([])
    await page.close()
  }, 180_000)

  test('a buyer writes a query by keyboard alone: fields and values are completed, a mistake is fixed, and it is searched', async () => {
    const { page, faults } = await signedIn(instance(), '/app/search', isMistake)
    await page.getByText('Query language', { exact: true }).focus()
    await page.keyboard.press('Enter')
    const editor = page.getByRole('textbox', { name: 'Query', exact: true })
    await editor.focus()
    await page.keyboard.type('llpSta')
    await page.getByRole('option', { name: 'llpStatus', exact: true }).first().waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type(" == 'Acti")
    await page.getByRole('option', { name: /^'Active'/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type(" AND Sate == 'Kerala'")
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Fix it: State', exact: true }).waitFor()
    await page.keyboard.press('Tab')
    expect(await page.locator('button:focus').textContent()).toBe('Fix it: State')
    await page.keyboard.press('Enter')
    await page.getByText(/Finds [1-9][\d,]* records?\./).waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { name: /\d records? found/ }).waitFor()
    expect(new URL(page.url()).searchParams.get('query')).toBe("llpStatus == 'Active' AND State == 'Kerala'")
    expect(faults).toEqual([])
    await page.close()
  }, 180_000)
}
