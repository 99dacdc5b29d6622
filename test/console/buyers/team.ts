/** A team by clicks alone: an admin invites, the invited person comes in by the mailed link and sees what the role allows, and no more. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { codeAt } from '../../../src/access/totp.ts'
import { openPage, violations } from '../../support/browser.ts'
import { type ConsoleInstance, signedIn } from '../../support/console-instance.ts'
import { follow, goTo } from '../../support/page-links.ts'
import { secretIn } from '../../support/person.ts'
import { scanned } from '../../support/scanned-qr.ts'
import { asProgram } from '../as-program.ts'
import { newAccount } from '../new-account.ts'
import type { Member } from './account.ts'

export async function enter(instance: ConsoleInstance, link: string, isExpected = /status of 401/) {
  const watched = await openPage(instance.browser, instance.url, (message) => isExpected.test(message))
  await watched.page.goto(link)
  await watched.page.getByRole('button', { name: 'Sign in with the link', exact: true }).click()
  await watched.page.getByRole('navigation', { name: 'Pages of Panji', exact: true }).waitFor()
  return watched
}

async function linkFor({ home }: ConsoleInstance, email: string): Promise<string> {
  const { answer } = await home.json('account', 'link', email, email)
  return (answer as { link: string }).link
}

/** What an authenticator shows now, or some steps of half a minute away. */
const shown = (secret: string, steps: number) => codeAt(secretIn(secret), Math.floor(Date.now() / 30_000) + steps)

const row = (page: Page, name: string) =>
  page.getByRole('region', { name: 'People', exact: true }).getByRole('row').filter({ hasText: name })

/** A session of a key is an admin's to end. */
async function endsNoSession(page: Page, url: string, apiKey: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  await fetch(`${url}/api/auth/login`, { method: 'POST', headers, body: JSON.stringify({ api_key: apiKey }) })
  await follow(page, '/app/keys')
  await page.getByRole('region', { name: 'Sessions', exact: true }).locator('tbody tr').first().waitFor()
  expect(await page.getByRole('button', { name: 'End', exact: true }).count()).toBe(0)
}

type Call = Awaited<ReturnType<typeof asProgram>>

/** What somebody removes, and a role that is lowered, while a dialog is open: it says so, and nothing of it is offered behind it. */
async function overtakeByAnother(page: Page, call: Call): Promise<void> {
  const dialog = page.getByRole('dialog')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const made = await call<{ data: { id: string } }>('POST', '/api/watchlist', {
    name: 'Of both',
    watchlist_type: 'company',
  })
  await page.goto(`/app/watchlists/${made.data.id}`)
  await button('Rename').click()
  await call('DELETE', `/api/watchlist/${made.data.id}`)
  await dialog.getByRole('button', { name: 'Rename', exact: true }).click()
  await dialog.getByText('There is no watchlist with this ID.').waitFor()
  await page.keyboard.press('Escape')
  await button('Rename').waitFor({ state: 'detached' })
  await page.getByRole('main').getByText('There is no watchlist with this ID.').waitFor()
  expect(await page.getByText('This watchlist is empty').count()).toBe(0)

  await page.goto('/app/watchlists')
  await button('Make a watchlist').first().click()
  await dialog.getByLabel('Name', { exact: true }).fill('Too late')
  const { data: people } = await call<{ data: readonly { person_id: string; name: string }[] }>('GET', '/api/team')
  const id = people.find(({ name }) => name === 'Meera Desai')?.person_id
  await call('PATCH', `/api/team/${id}`, { role: 'viewer' })
  await dialog.getByRole('button', { name: 'Make a watchlist', exact: true }).click()
  await dialog.getByText('You are a viewer of this account; this needs the role buyer.').waitFor()
  await page.keyboard.press('Escape')
  await button('Make a watchlist').waitFor({ state: 'detached' })
}

export function describeTeam(
  instance: () => ConsoleInstance,
  member: () => Member,
  mails: () => readonly string[],
): void {
  test('an admin invites somebody, who comes in by the mailed link, sees what a viewer may, is made a buyer, and is removed', async () => {
    const { page: admin, faults } = await enter(instance(), await linkFor(instance(), member().email))
    await goTo(admin, 'Team')
    await row(admin, member().email).getByText('the last admin stays').waitFor()
    const dialog = admin.getByRole('dialog')
    await admin.getByRole('button', { name: 'Invite', exact: true }).click()
    await dialog.getByLabel('E-mail', { exact: true }).fill('meera@example.in')
    await dialog.getByLabel('Name (optional)', { exact: true }).fill('Meera Desai')
    await dialog.getByLabel('Role', { exact: true }).selectOption('viewer')
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
    await row(admin, 'Meera Desai').getByText('invited', { exact: true }).waitFor()

    const link = () => {
      const mail = mails().find((text) => text.includes('invited you to join the Panji account'))
      return /http:\/\/127\.0\.0\.1:\d+\/app#code=[\w-]{43}/.exec(mail ?? '')?.[0]
    }
    await expect.poll(link, { timeout: 60_000 }).toBeTruthy()
    const meera = await enter(instance(), link() ?? '', /status of 40[134]/)
    await meera.page.getByText('meera@example.in', { exact: true }).waitFor()
    await follow(meera.page, '/app/team')
    await meera.page.getByText('An admin invites people and gives roles.').waitFor()
    expect(await meera.page.getByRole('button', { name: 'Invite', exact: true }).count()).toBe(0)
    await endsNoSession(meera.page, instance().url, member().apiKey)
    await follow(meera.page, '/app/watchlists')
    await meera.page.getByRole('heading', { level: 1, name: 'Watchlists', exact: true }).waitFor()
    expect(await meera.page.getByRole('button', { name: 'Make a watchlist', exact: true }).count()).toBe(0)
    // Nor is she told to press what she does not have.
    await follow(meera.page, '/app/screeners')
    const none = meera.page.getByText('No saved screeners yet.', { exact: true })
    await meera.page.getByRole('cell', { name: 'All of Goa', exact: true }).or(none).first().waitFor()
    await follow(meera.page, '/app/plans')
    await meera.page.getByText('An admin buys plans and feeds.').waitFor()
    await follow(meera.page, '/app/destinations')
    await meera.page.getByText('An admin connects one.').waitFor()
    await follow(meera.page, '/app/destinations/connect')
    await meera.page.getByText('You are a viewer of this account, which does not allow this.').waitFor()

    await admin.reload()
    await row(admin, 'Meera Desai').getByRole('button', { name: 'Change role', exact: true }).click()
    await dialog.getByLabel('Role', { exact: true }).selectOption('buyer')
    await dialog.getByRole('button', { name: 'Change role', exact: true }).click()
    await row(admin, 'Meera Desai').getByRole('cell', { name: 'buyer', exact: true }).waitFor()
    await meera.page.goto('/app/watchlists')
    await meera.page.getByRole('button', { name: 'Make a watchlist', exact: true }).first().waitFor()
    await overtakeByAnother(meera.page, await asProgram({ ...instance(), apiKey: member().apiKey }))

    await row(admin, 'Meera Desai').getByRole('button', { name: 'Remove', exact: true }).click()
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
    await row(admin, 'Meera Desai').waitFor({ state: 'detached' })
    // The button is gone, and the focus stays on the page.
    await expect.poll(() => admin.evaluate('document.activeElement.id')).toBe('page')
    await meera.page.reload()
    await meera.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    await follow(admin, '/app/audit')
    await admin.getByRole('row').filter({ hasText: 'remove person' }).first().waitFor()
    expect([...faults, ...meera.faults]).toEqual([])
    await Promise.all([admin.close(), meera.page.close()])
  }, 240_000)

  test('a page of a browser that has signed in to another account since says so, and shows that account once it is loaded again', async () => {
    const { page, faults } = await signedIn(instance(), '/app/watchlists', (told) => told.includes('403'))
    await page.getByRole('button', { name: 'Make a watchlist', exact: true }).first().click()
    await signInAsAnotherTab(page, member().apiKey)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('Neighbours of whom')
    await dialog.getByRole('button', { name: 'Make a watchlist', exact: true }).click()
    await dialog.getByText('signed in again in this browser').waitFor()
    await dialog.getByRole('button', { name: 'Reload this page', exact: true }).click()
    await page
      .getByRole('banner')
      .getByText(/^buyer/)
      .waitFor()
    expect(await page.getByText('Neighbours of whom').count()).toBe(0)
    expect(faults).toEqual([])
    await page.close()
  }, 120_000)

  test('what is typed in one tab is kept where the same person signs in anew in another', async () => {
    const { page, faults } = await signedIn(instance(), '/app/watchlists', (told) => told.includes('403'))
    await page.getByRole('button', { name: 'Make a watchlist', exact: true }).first().click()
    await signInAsAnotherTab(page, instance().apiKey)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('Of both tabs')
    await dialog.getByRole('button', { name: 'Make a watchlist', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    const made = page.getByRole('row').filter({ hasText: 'Of both tabs' })
    await made.waitFor()
    expect(await made.count()).toBe(1)
    expect(faults).toEqual([])
    await page.close()
  }, 120_000)

  test('who is sent there with a code for each of several accounts chooses the one that they come into', async () => {
    const { browser, url } = instance()
    const { page, faults } = await openPage(browser, url)
    const emails = ['demo@example.com', member().email]
    const codes = await Promise.all(emails.map(async (email) => (await linkFor(instance(), email)).split('#code=')[1]))
    const said = new URLSearchParams()
    for (const [place, email] of emails.entries()) {
      said.append('code', codes[place] ?? '')
      said.append('account', `that of ${email}`)
    }
    await page.goto(`/app#${said}`)
    expect(await violations(page)).toEqual([])
    await page.getByLabel('Account', { exact: true }).selectOption(`that of ${member().email}`)
    await page.getByRole('button', { name: 'Sign in to this account', exact: true }).click()
    await page.getByRole('banner').getByText(member().email).waitFor()
    expect(faults).toEqual([])
    await page.close()
  }, 120_000)

  test('a person adds a second factor, is asked for its code at the next sign-in, and removes it by a recovery code', async () => {
    const email = 'factor@example.in'
    await newAccount(instance(), email)
    const { page, faults } = await enter(instance(), await linkFor(instance(), email))
    await page.goto('/app/team')
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Add a second factor', exact: true }).click()
    await dialog.getByRole('button', { name: 'Add a second factor', exact: true }).click()
    const secret = (await dialog.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? ''
    const drawn = dialog.getByRole('img', { name: 'QR code of your secret', exact: true })
    const said = scanned((await drawn.locator('path').getAttribute('d')) ?? '', await drawn.getAttribute('viewBox'))
    expect(said).toContain(`secret=${secret}`)
    expect(said).toMatch(/^otpauth:\/\/totp\//)
    expect(await violations(page)).toEqual([])
    await dialog.getByLabel('Code that it shows', { exact: true }).fill(shown(secret, -1))
    await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
    const recovery = (await dialog.getByRole('listitem').first().textContent()) ?? ''
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()
    await row(page, email).getByText('yes', { exact: true }).waitFor()

    const isAsked = (message: string) => message.includes('401')
    const other = await openPage(instance().browser, instance().url, isAsked)
    await other.page.goto(await linkFor(instance(), email))
    await other.page.getByRole('button', { name: 'Sign in with the link', exact: true }).click()
    await other.page.getByLabel('Code of your authenticator', { exact: true }).fill(shown(secret, 0))
    await other.page.getByRole('button', { name: 'Sign in with the link', exact: true }).click()
    await other.page.getByRole('navigation', { name: 'Pages of Panji', exact: true }).waitFor()

    await page.getByRole('button', { name: 'Remove second factor', exact: true }).click()
    await dialog.getByLabel('Code of the authenticator', { exact: true }).fill(recovery)
    await dialog.getByRole('button', { name: 'Remove second factor', exact: true }).click()
    await page.getByText('With one, nobody can sign in as you with a link alone.').waitFor()
    expect([...faults, ...other.faults]).toEqual([])
    await Promise.all([page.close(), other.page.close()])
  }, 240_000)
}

/** The cookie is that of the browser, and the page keeps the token of before. */
async function signInAsAnotherTab(page: Page, apiKey: string): Promise<void> {
  const body = JSON.stringify(JSON.stringify({ api_key: apiKey }))
  await page.evaluate(
    `fetch('/app/session', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: ${body} })`,
  )
}
