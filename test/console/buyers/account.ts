/**
 * What the people of an account do beside buying, told by clicks alone: somebody without a key comes in by a mailed link; keys
 * and sessions are made, renewed and ended; a query, a watchlist and a webhook are kept; a free offer is taken, once; the account
 * is erased.
 */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, violations } from '../../support/browser.ts'
import { type ConsoleInstance, signedIn } from '../../support/console-instance.ts'
import { follow, goTo } from '../../support/page-links.ts'
import { newAccount } from '../new-account.ts'
import { readAnew } from './press.ts'

/** Of an account that the tests make beside that of the sample world. */
export interface Member {
  readonly email: string
  readonly apiKey: string
}

/** Opens the dialog of an act, types, and presses the button of the same name there. */
async function act(page: Page, label: string, typed: Readonly<Record<string, string>> = {}): Promise<void> {
  await page.getByRole('button', { name: label, exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  for (const [field, text] of Object.entries(typed)) await dialog.getByLabel(field, { exact: true }).fill(text)
  await dialog.getByRole('button', { name: label, exact: true }).click()
}

export function describeAccount(
  instance: () => ConsoleInstance,
  member: () => Member,
  mails: () => readonly string[],
): void {
  test('somebody without a key is mailed a link, comes in by pressing its button, and it opens nothing again', async () => {
    const isRefused = (message: string) => message.includes('/app/session')
    const { page, faults } = await openPage(instance().browser, instance().url, isRefused)
    await page.goto('/app')
    await page.getByLabel('Or your e-mail address', { exact: true }).fill(member().email)
    await page.getByRole('button', { name: 'E-mail me a link', exact: true }).click()
    await page.locator('.notice').waitFor()
    const link = () => /http:\/\/127\.0\.0\.1:\d+\/app#code=[\w-]{43}/.exec(mails().join('\n'))?.[0]
    await expect.poll(link, { timeout: 60_000 }).toBeTruthy()

    // An address that differs in its fragment alone loads nothing anew.
    await page.goto('about:blank')
    await page.goto(link() ?? '')
    await page.getByRole('button', { name: 'Sign in with the link', exact: true }).click()
    await page.getByRole('navigation', { name: 'Pages of Panji', exact: true }).waitFor()
    expect(page.url()).not.toContain('code')
    await page.reload()
    await page.getByText(member().email).waitFor()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.goto('about:blank')
    await page.goto(link() ?? '')
    await page.getByRole('button', { name: 'Sign in with the link', exact: true }).click()
    await page.getByRole('alert').waitFor()
    expect(faults).toEqual([])
    await page.close()
  }, 240_000)

  test('a key is created with fewer scopes than its creator has, its session is ended from the list, and the audit log has both', async () => {
    const { page, faults } = await signedIn({ ...instance(), apiKey: member().apiKey }, '/app/keys')
    await page.getByRole('button', { name: 'Make a key', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name (optional)', { exact: true }).fill('for looking')
    for (const box of ['May order', 'May deliver']) await dialog.getByLabel(box, { exact: true }).uncheck()
    await dialog.getByRole('button', { name: 'Make a key', exact: true }).click()
    const secret = (await dialog.getByRole('status').textContent()) ?? ''
    // A press beside the dialog does not lose what is shown once.
    await page.mouse.click(5, 400)
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    expect(await dialog.getByRole('status').textContent()).toBe(secret)
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByRole('row').filter({ hasText: 'for looking' }).getByText('in use').waitFor()

    const isOver = (message: string) => message.includes('401')
    const other = await signedIn({ ...instance(), apiKey: secret }, '/app', isOver)
    await follow(other.page, '/app/destinations')
    await other.page.getByText('The key that you signed in with may not deliver.').waitFor()
    await page.reload()
    await page
      .getByRole('row')
      .filter({ hasText: 'for looking (' })
      .getByRole('button', { name: 'End', exact: true })
      .click()
    await dialog.getByRole('button', { name: 'End', exact: true }).click()
    await page.getByRole('row').filter({ hasText: 'for looking (' }).waitFor({ state: 'detached' })
    await other.page.reload()
    await other.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()

    // Another key takes its place; the old one works until its hours are over, or it is revoked.
    const rows = page
      .getByRole('region', { name: 'API keys', exact: true })
      .getByRole('row')
      .filter({ hasText: 'for looking' })
    await rows.getByRole('button', { name: 'Rotate', exact: true }).click()
    await dialog.getByLabel('Hours that both keys work', { exact: true }).fill('1')
    await dialog.getByRole('button', { name: 'Rotate', exact: true }).click()
    await dialog.getByText(/^panji_\w{43}$/).waitFor()
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()
    await expect.poll(() => rows.getByText('in use').count()).toBe(2)
    for (const revoked of [1, 2]) {
      await rows.getByRole('button', { name: 'Revoke', exact: true }).first().click()
      await dialog.getByRole('button', { name: 'Revoke', exact: true }).click()
      await expect.poll(() => rows.getByText('revoked', { exact: true }).count()).toBe(revoked)
    }
    await goTo(page, 'Audit log')
    for (const told of ['issue api key', 'end session', 'revoke api key']) {
      await page.getByRole('cell', { name: told, exact: true }).first().waitFor()
    }
    expect([...faults, ...other.faults]).toEqual([])
    await other.page.close()
    await page.close()
  }, 240_000)

  test('who signs out sees nothing but the sign-in, at both doors', async () => {
    for (const door of ['/app', '/console'] as const) {
      const { page, faults } = await signedIn(instance(), door)
      await page.getByRole('button', { name: 'Sign out', exact: true }).click()
      await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
      expect(await page.getByRole('navigation', { name: 'Pages of Panji', exact: true }).count()).toBe(0)
      expect(await page.getByText('Your session has ended').count()).toBe(0)
      expect(faults).toEqual([])
      await page.close()
    }
  }, 240_000)

  test('the second click of a double click makes nothing twice, in a dialog and on a page of its own', async () => {
    const { page, faults } = await signedIn(instance(), "/app/search?query=State+%3D%3D+'Kerala'")
    await page.getByRole('heading', { name: /\d records? found$/ }).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Once')
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).dblclick()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.goto('/app/screeners')
    const saved = page.getByRole('row').filter({ hasText: 'Once' })
    await saved.first().waitFor()
    expect(await saved.count()).toBe(1)
    await saved.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await saved.waitFor({ state: 'detached' })

    await follow(page, '/app/standing-orders/make')
    await page.getByLabel('Name', { exact: true }).fill('Once, too')
    await page.getByLabel('Query', { exact: true }).fill("State == 'Kerala'")
    await page.getByRole('button', { name: 'Save', exact: true }).dblclick()
    await page.getByRole('heading', { name: 'Once, too', exact: true }).waitFor()
    await page.goto('/app/standing-orders')
    await page.getByRole('link', { name: 'Once, too', exact: true }).first().waitFor()
    expect(await page.getByRole('link', { name: 'Once, too', exact: true }).count()).toBe(1)
    expect(faults).toEqual([])
    await page.close()
  }, 240_000)

  test('a query, a watchlist and a webhook are kept and let go, and the palette finds what has a name', async () => {
    const { page, faults } = await signedIn(
      { ...instance(), apiKey: member().apiKey },
      "/app/search?query=State+%3D%3D+'Goa'",
    )
    await page.getByRole('heading', { name: /\d records? found$/ }).waitFor()
    await act(page, 'Save', { Name: 'All of Goa' })
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await follow(page, '/app/watchlists')
    await act(page, 'Make a watchlist', { Name: 'Competitors' })
    await page.getByRole('link', { name: 'Competitors', exact: true }).waitFor()

    await page.keyboard.press('Control+k')
    await page
      .getByRole('combobox', { name: 'A page, or an order, CIN, GSTIN, DIN, name', exact: true })
      .pressSequentially('all of g')
    await page.getByRole('option', { name: 'All of Goa saved screener', exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /\d records? found$/ }).waitFor()
    await follow(page, '/app/screeners')
    await act(page, 'Delete')
    await page.getByText('No saved screeners yet.').waitFor()
    // What was taken away can be brought back, on whatever page.
    await goTo(page, 'Lists')
    await page
      .getByRole('navigation', { name: 'Lists', exact: true })
      .getByRole('link', { name: 'Watchlists', exact: true })
      .click()
    await page.locator('.toast').getByText('All of Goa is deleted.').waitFor()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByRole('button', { name: /^Undo/ }).waitFor({ state: 'detached' })
    await page
      .getByRole('navigation', { name: 'Lists', exact: true })
      .getByRole('link', { name: 'Saved screeners', exact: true })
      .click()
    await page.getByRole('cell', { name: "State == 'Goa'", exact: true }).waitFor()

    await follow(page, '/app/webhooks')
    await act(page, 'Add a webhook', { Address: 'https://example.com/hook' })
    await page
      .getByRole('dialog')
      .getByRole('status')
      .getByText(/^whsec_/)
      .waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByRole('cell', { name: 'https://example.com/hook', exact: true }).first().waitFor()

    // Changes of what is on a list are reported, and nothing is bought.
    await follow(page, '/app/watchlists')
    await page.getByRole('link', { name: 'Competitors', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Competitors', exact: true }).waitFor()
    await act(page, 'Notify me')
    await page.getByRole('dialog').getByRole('link', { name: 'See it', exact: true }).click()
    await page.getByText('Companies on a watchlist, as they change').waitFor()
    await act(page, 'Pause')
    await page.getByRole('button', { name: 'Switch on', exact: true }).click()
    await page.getByRole('dialog').getByText('It looks at imports from now on, and buys nothing.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Switch on', exact: true }).click()
    await page.getByText('active', { exact: true }).waitFor()
    expect(faults).toEqual([])
    await page.close()
  }, 240_000)

  test('a session that ends while something is typed is gone on with where it was, by the same account alone', async () => {
    const { page, faults } = await signedIn(instance(), '/app/watchlists', (told) => told.includes('401'))
    const dialog = page.getByRole('dialog', { name: 'Make a watchlist', exact: true })
    const door = page.getByRole('dialog', { name: 'Sign in again', exact: true })
    const signInWith = async (key: string) => {
      await door.getByText('Your session has ended.').waitFor()
      await door.getByLabel('API key', { exact: true }).fill(key)
      await page.keyboard.press('Enter')
      await door.waitFor({ state: 'detached' })
    }
    await page.getByRole('button', { name: 'Make a watchlist', exact: true }).first().click()
    await dialog.getByLabel('Name', { exact: true }).fill('Typed before')
    await page.context().clearCookies()
    await dialog.getByRole('button', { name: 'Make a watchlist', exact: true }).click()
    // Nothing of the page below is in reach.
    await door.waitFor()
    await page.keyboard.press('Escape')
    expect(await violations(page)).toEqual([])
    await signInWith(instance().apiKey)
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('Typed before')
    expect(await page.evaluate("document.activeElement.closest('[role=dialog]') !== null")).toBe(true)
    await dialog.getByText('Your session had ended, so nothing was done.').waitFor()
    await dialog.getByRole('button', { name: 'Make a watchlist', exact: true }).click()
    const made = page.getByRole('row').filter({ hasText: 'Typed before' })
    await made.waitFor()

    // In another tab of this browser, to which somebody went and came back.
    await page.getByRole('button', { name: 'Make a watchlist', exact: true }).first().click()
    await dialog.getByLabel('Name', { exact: true }).fill('Typed here')
    await page.context().clearCookies()
    await dialog.getByRole('button', { name: 'Make a watchlist', exact: true }).click()
    await door.waitFor()
    const credentials = JSON.stringify({ api_key: instance().apiKey })
    await page.evaluate(
      `fetch('/app/session', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: ${JSON.stringify(credentials)} })`,
    )
    await page.evaluate("dispatchEvent(new Event('focus'))")
    await door.waitFor({ state: 'detached' })
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('Typed here')
    await dialog.getByRole('button', { name: 'Not now', exact: true }).click()

    await page.getByRole('button', { name: 'Make a watchlist', exact: true }).first().click()
    await dialog.getByLabel('Name', { exact: true }).fill('Neighbours of whom')
    await page.context().clearCookies()
    await dialog.getByRole('button', { name: 'Make a watchlist', exact: true }).click()
    await signInWith(member().apiKey)
    await page
      .getByRole('banner')
      .getByText(/^buyer/)
      .waitFor()
    expect(await dialog.count()).toBe(0)
    expect(await made.count()).toBe(0)
    expect(faults).toEqual([])
    await page.close()
  }, 240_000)

  test('a free offer is taken at once, and once it is over it is offered to nobody who had it', async () => {
    const { page, faults } = await signedIn({ ...instance(), apiKey: member().apiKey }, '/app/plans')
    const offer = page.getByRole('region', { name: 'New GST registrations, trial of 7 days', exact: true })
    await offer.getByRole('button', { name: 'Activate', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Activate', exact: true }).click()
    await offer.getByText('Active now.').waitFor()
    // As the server answers when its days are over.
    await page.route('**/api/offers/available', async (route) => {
      const reply = await route.fetch()
      await route.fulfill({ response: reply, json: { ...((await reply.json()) as object), activated_offers: [] } })
    })
    await page.reload()
    await offer.getByText('Already used: once per account.').waitFor()
    expect(await offer.getByRole('button', { name: 'Activate', exact: true }).count()).toBe(0)
    expect(faults).toEqual([])
    await page.close()
  }, 240_000)

  test('an account is erased only with its e-mail address typed in and one of its keys, and the page says what was deleted and kept', async () => {
    const leaver = 'leaver@example.com'
    const key = await newAccount(instance(), leaver)
    // What was let in before the account went may find it gone: a 404.
    const isRefused = (message: string) => /401|users\/me\/(billing|usage)/.test(message)
    const { page, faults } = await signedIn({ ...instance(), apiKey: key }, '/app', isRefused)
    // Two reads of this page reach the server when the session that they were sent in has ended for that of the confirmation: one
    // had left the browser, and one had to wait there, and goes with the cookie of then.
    const late: Record<string, number> = { '/api/users/me/usage': 401, '/api/users/me/billing': 403 }
    const confirmed = page.waitForResponse((reply) => new URL(reply.url()).pathname === '/app/session')
    await page.route(
      (url) => url.pathname in late,
      async (route) => {
        const { pathname } = new URL(route.request().url())
        const refusal = late[pathname]
        if (refusal === 0) return route.continue()
        late[pathname] = 0
        const { cookie = '', ...headers } = await route.request().allHeaders()
        await confirmed
        const reply = await route.fetch({ headers: { ...headers, ...(refusal === 401 && { cookie }) } })
        expect(reply.status()).toBe(refusal)
        await route.fulfill({ response: reply })
      },
    )
    await goTo(page, 'Account')
    await act(page, 'Erase the account', { 'E-mail of the account': 'somebody@example.com', 'API key': key })
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('alert').getByText(leaver).waitFor()
    await dialog.getByText('leads and 0 remaining credits are lost').waitFor()
    await dialog.getByLabel('E-mail of the account', { exact: true }).fill(leaver)
    await dialog.getByRole('button', { name: 'Erase the account', exact: true }).click()
    await dialog.getByText(/^The account is erased\. Receipt/).waitFor()
    // What is asked for afterwards is no reason to sign in to what is gone.
    await page.evaluate(readAnew)
    await page.locator('main').getByText('Nobody is signed in.').first().waitFor()
    expect(await page.getByText('Someone has signed in again').count()).toBe(0)
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    expect(await page.getByText('Your session has ended').count()).toBe(0)
    await page.getByLabel('API key', { exact: true }).fill(key)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').waitFor()
    expect(faults).toEqual([])
    await page.close()
  }, 240_000)
  test('what is read while somebody signs in anew goes with the session that this begins', async () => {
    const leaver = 'reader@example.com'
    const key = await newAccount(instance(), leaver)
    const { page, faults } = await signedIn({ ...instance(), apiKey: key }, '/app', (told) => told.includes('401'))
    await goTo(page, 'Account')
    await page.waitForLoadState('networkidle')
    // Between the answer, which brings the cookie, and the page's hearing of its token.
    await page.route(
      (url) => url.pathname === '/app/session',
      async (route) => {
        const reply = await route.fetch()
        await page.evaluate(readAnew)
        await route.fulfill({ response: reply })
      },
      { times: 1 },
    )
    await act(page, 'Erase the account', { 'E-mail of the account': leaver, 'API key': key })
    await page
      .getByRole('dialog')
      .getByText(/^The account is erased\. Receipt/)
      .waitFor()
    expect(faults).toEqual([])
    await page.close()
  }, 240_000)
}
