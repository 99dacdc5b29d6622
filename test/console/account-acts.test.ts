/**
 * What the people of an account do beside buying, told by clicks alone: somebody without a key comes in by a mailed link; keys
 * and sessions are made and ended; a query, a watchlist and a webhook are kept; a free offer is taken, once.
 */
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPage } from '../support/browser.ts'
import { type ConsoleInstance, signedIn, startConsole } from '../support/console-instance.ts'
import { freePort } from '../support/free-port.ts'

const email = 'buyer@example.com'
const mails: string[] = []
const mailServer = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  logger: false,
  onData(stream, _, done) {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      mails.push(Buffer.concat(chunks).toString('utf8').replaceAll('=\r\n', '').replaceAll('=3D', '='))
      done()
    })
  },
})

let instance: ConsoleInstance | undefined
let apiKey = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => mailServer.listen(0, '127.0.0.1', () => resolve()))
  const { port: mailPort } = mailServer.server.address() as AddressInfo
  const port = await freePort()
  instance = await startConsole({
    PANJI_SAMPLE: 'off',
    PORT: String(port),
    PANJI_PUBLIC_URL: `http://127.0.0.1:${port}`,
    PANJI_SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
    PANJI_SMTP_FROM: 'Panji <panji@example.in>',
  })
  if (!instance) return
  const { answer } = await instance.home.json('account', 'create', '--email', email)
  apiKey = (answer as { api_key: string }).api_key
}, 240_000)
afterAll(async () => {
  await instance?.stop()
  await new Promise<void>((resolve) => mailServer.close(() => resolve()))
})

/** Opens the dialog of an act, types, and presses the button of the same name there. */
async function act(page: Page, label: string, typed: Readonly<Record<string, string>> = {}): Promise<void> {
  await page.getByRole('button', { name: label, exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  for (const [field, text] of Object.entries(typed)) await dialog.getByLabel(field).fill(text)
  await dialog.getByRole('button', { name: label, exact: true }).click()
}

test('somebody without a key is mailed a link, comes in by pressing its button, and it opens nothing again', async ({
  skip,
}) => {
  if (!instance) return skip()
  const isRefused = (message: string) => message.includes('/app/session')
  const { page, faults } = await openPage(instance.browser, instance.url, isRefused)
  await page.goto('/app')
  await page.getByLabel('Or your e-mail address').fill(email)
  await page.getByRole('button', { name: 'Mail me a link' }).click()
  await page.locator('.notice').waitFor()
  const link = () => /http:\/\/127\.0\.0\.1:\d+\/app#code=[\w-]{43}/.exec(mails.join('\n'))?.[0]
  await expect.poll(link, { timeout: 60_000 }).toBeTruthy()

  // An address that differs in its fragment alone loads nothing anew.
  await page.goto('about:blank')
  await page.goto(link() ?? '')
  await page.getByRole('button', { name: 'Sign in with the link' }).click()
  await page.getByRole('navigation', { name: 'Pages of Panji' }).waitFor()
  expect(page.url()).not.toContain('code')
  await page.reload()
  await page.getByText(email).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.goto('about:blank')
  await page.goto(link() ?? '')
  await page.getByRole('button', { name: 'Sign in with the link' }).click()
  await page.getByRole('alert').waitFor()
  expect(faults).toEqual([])
  await page.close()
}, 240_000)

test('a key is made with less than its holder may, its session is ended from the list, and the trail tells of both', async ({
  skip,
}) => {
  if (!instance) return skip()
  const { page, faults } = await signedIn({ ...instance, apiKey }, '/app')
  await page.goto('/app/keys')
  await page.getByRole('button', { name: 'Make a key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('for looking')
  for (const box of ['May order', 'May deliver']) await dialog.getByLabel(box).uncheck()
  await dialog.getByRole('button', { name: 'Make a key' }).click()
  const secret = (await dialog.getByRole('status').textContent()) ?? ''
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('row').filter({ hasText: 'for looking' }).getByText('in use').waitFor()

  const isOver = (message: string) => message.includes('401')
  const other = await signedIn({ ...instance, apiKey: secret }, '/app', isOver)
  await other.page.goto('/app/destinations')
  await other.page.getByText('The key that you came in with may not deliver.').waitFor()
  await page.reload()
  await page.getByRole('row').filter({ hasText: 'for looking (' }).getByRole('button', { name: 'End' }).click()
  await dialog.getByRole('button', { name: 'End' }).click()
  await page.getByRole('row').filter({ hasText: 'for looking (' }).waitFor({ state: 'detached' })
  await other.page.reload()
  await other.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()

  await page.getByRole('row').filter({ hasText: 'for looking' }).getByRole('button', { name: 'Revoke' }).click()
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('row').filter({ hasText: 'for looking' }).getByText('revoked').waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'Trail' }).click()
  for (const told of ['issue api key', 'end session', 'revoke api key']) {
    await page.getByRole('cell', { name: told }).first().waitFor()
  }
  expect([...faults, ...other.faults]).toEqual([])
  await other.page.close()
  await page.close()
}, 240_000)

test('a query, a watchlist and a webhook are kept and let go, and the palette finds what has a name', async ({
  skip,
}) => {
  if (!instance) return skip()
  const { page, faults } = await signedIn({ ...instance, apiKey }, '/app')
  await page.goto("/app/search?query=State+%3D%3D+'Goa'")
  await page.getByRole('heading', { name: '0 records found' }).waitFor()
  await act(page, 'Save', { Name: 'All of Goa' })
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.goto('/app/watchlists')
  await act(page, 'Make a watchlist', { Name: 'Competitors' })
  await page.getByRole('link', { name: 'Competitors' }).waitFor()

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'A page, or' }).pressSequentially('all of g')
  await page.getByRole('option', { name: 'All of Goa saved screener' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: '0 records found' }).waitFor()
  await page.goto('/app/screeners')
  await act(page, 'Delete')
  await page.getByText('None is saved.').waitFor()

  await page.goto('/app/webhooks')
  await act(page, 'Add a webhook', { Address: 'https://example.com/hook' })
  await page
    .getByRole('dialog')
    .getByRole('status')
    .getByText(/^whsec_/)
    .waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await page.getByRole('cell', { name: 'https://example.com/hook' }).first().waitFor()
  expect(faults).toEqual([])
  await page.close()
}, 240_000)

test('a free offer is taken at once, and once it is over it is offered to nobody who had it', async ({ skip }) => {
  if (!instance) return skip()
  const { page, faults } = await signedIn({ ...instance, apiKey }, '/app')
  await page.goto('/app/plans')
  const offer = page.getByRole('region', { name: 'New GST registrations, trial of 7 days' })
  await offer.getByRole('button', { name: 'Activate' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click()
  await offer.getByText('It runs.').waitFor()
  // As the server answers when its days are over.
  await page.route('**/api/offers/available', async (route) => {
    const reply = await route.fetch()
    await route.fulfill({ response: reply, json: { ...((await reply.json()) as object), activated_offers: [] } })
  })
  await page.reload()
  await offer.getByText('You had it; an account has it once.').waitFor()
  expect(await offer.getByRole('button', { name: 'Activate' }).count()).toBe(0)
  expect(faults).toEqual([])
  await page.close()
}, 240_000)
