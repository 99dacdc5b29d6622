/** Acts by keyboard, and over a network that loses answers: where the focus is, what a field is wrong about, and what happened. */
import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { type ConsoleInstance, signedIn } from '../../support/console-instance.ts'
import { asProgram } from '../as-program.ts'

const isLost = (message: string) => /ERR_CONNECTION_RESET|status of 4(00|04|22)/.test(message)

/** The server does what it is asked, and nobody hears of it. */
async function loseAnswer(route: Route): Promise<void> {
  await route.fetch()
  await route.abort('connectionreset')
}

const named = (page: Page, says: RegExp | string) => page.getByRole('button', { name: says, exact: true })
const focused = (page: Page) => page.locator(':focus')

export function describeByKeyboard(instance: () => ConsoleInstance): void {
  test('what is pressed again after its answer was lost happens once', async () => {
    const { page, faults } = await signedIn(instance(), '/app', isLost)
    const keys: (string | undefined)[] = []
    await page.route('**/api/standing-orders', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      keys.push(route.request().headers()['idempotency-key'])
      return keys.length === 1 ? loseAnswer(route) : route.continue()
    })
    await page.goto('/app/standing-orders/make')
    await page.getByLabel('Name', { exact: true }).fill('Heard of once')
    await page.getByLabel('Query', { exact: true }).fill("State == 'Goa'")
    await named(page, 'Save').click()
    await page.getByRole('alert').getByText('may or may not have happened').waitFor()
    await named(page, 'Save').click()
    await page.getByRole('heading', { level: 1, name: 'Heard of once', exact: true }).waitFor()
    expect(keys).toEqual([keys[0], keys[0]])

    const call = await asProgram(instance())
    const { data } = await call<{ data: readonly { name: string }[] }>('GET', '/api/standing-orders?limit=100')
    expect(data.filter(({ name }) => name === 'Heard of once')).toHaveLength(1)
    // Another one of the same kind is another act.
    await page.goto('/app/standing-orders/make')
    await page.getByLabel('Name', { exact: true }).fill('Heard of once')
    await page.getByLabel('Query', { exact: true }).fill("State == 'Goa'")
    await named(page, 'Save').click()
    await page.getByRole('heading', { level: 1, name: 'Heard of once', exact: true }).waitFor()
    expect(new Set(keys).size).toBe(2)
    expect(faults).toEqual([])
    await page.close()
  })

  test('an act that fails after its dialog was closed says so, and one that shows a secret is not closed before that came', async () => {
    const { page, faults } = await signedIn(instance(), '/app/watchlists', isLost)
    await named(page, 'Make a watchlist').click()
    await page.getByLabel('Name', { exact: true }).fill('Lost')
    let lose = () => {}
    const isClosed = new Promise<void>((resolve) => {
      lose = resolve
    })
    await page.route('**/api/watchlist', async (route) => {
      await isClosed
      await route.abort('connectionreset')
    })
    await page.keyboard.press('Enter')
    await named(page, 'Make a watchlist …').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    lose()
    const toast = page.getByRole('region', { name: /^What happened/ }).getByRole('listitem')
    await toast.getByText('Make a watchlist: Panji does not answer.').waitFor()
    await toast.getByRole('button', { name: 'Close', exact: true }).click()

    // What is shown this once is waited for.
    await page.goto('/app/keys')
    await named(page, 'Make a key').click()
    const asked = await holdBack(page, '**/api/keys')
    await page.keyboard.press('Enter')
    await asked.came
    await page.keyboard.press('Escape')
    await named(page, 'Not now').click()
    asked.letGo()
    await page.getByText('It is shown only once').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(faults).toEqual([])
    await page.close()
  })

  test('the focus stays where an act began, goes to the field that is wrong, and to what came back', async () => {
    const { page, faults } = await signedIn(instance(), '/app/webhooks', isLost)
    await named(page, 'Add a webhook').focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Address', { exact: true }).fill('nonsense')
    const add = page.getByRole('dialog').getByRole('button', { name: 'Add a webhook', exact: true })
    await add.focus()
    await page.keyboard.press('Enter')
    const alert = page.getByRole('alert')
    await alert.getByText('“Address” must be an address').waitFor()
    const address = page.getByRole('textbox', { name: 'Address', exact: true })
    await expect.poll(() => address.and(focused(page)).count()).toBe(1)
    expect(await address.getAttribute('aria-invalid')).toBe('true')
    const described = (await address.getAttribute('aria-describedby')) ?? ''
    expect(described.split(' ')).toContain(await alert.getAttribute('id'))
    await page.keyboard.press('Escape')

    await page.goto('/app/standing-orders/make')
    await page.getByLabel('Name', { exact: true }).fill('Half of a query')
    await page.getByLabel('Query', { exact: true }).fill("State == 'Goa' AND")
    const asked = await holdBack(page, '**/api/standing-orders')
    await named(page, 'Save').focus()
    await page.keyboard.press('Enter')
    await asked.came
    expect(await named(page, 'Save').and(focused(page)).count()).toBe(1)
    asked.letGo()
    await expect
      .poll(() => page.getByLabel('Query', { exact: true }).and(focused(page)).getAttribute('aria-invalid'))
      .toBe('true')
    await page.getByLabel('Query', { exact: true }).fill("State == 'Goa'")
    await page.getByLabel('Credits a day at most', { exact: true }).fill('-3')
    await page.keyboard.press('Enter')
    await alert.getByText('“Credits a day at most” must be a whole number').waitFor()
    const day = page.getByLabel('Credits a day at most', { exact: true })
    await expect.poll(() => day.and(focused(page)).getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByLabel('Query', { exact: true }).getAttribute('aria-invalid')).toBe(null)

    await page.goto('/app/keys')
    await named(page, 'Make a key').click()
    await page.getByLabel('Name (optional)', { exact: true }).fill('of the keyboard')
    await page.keyboard.press('Enter')
    await page.getByText('It is shown only once').waitFor()
    await expect.poll(() => page.getByRole('dialog').locator(':scope:focus, :focus').count()).toBe(1)
    await page.keyboard.press('Escape')
    expect(faults).toEqual([])
    await page.close()
  })

  test('leaving the tour leaves the focus on the page', async () => {
    const { page, faults } = await signedIn(instance(), '/app')
    await page.goto('/app/orders')
    // Its heading takes the focus once it comes.
    await page.locator('h1:focus').waitFor()
    await named(page, 'Skip the tour').focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('#page:focus').count()).toBe(1)
    expect(faults).toEqual([])
    await page.close()
  })

  test('a day that is typed is asked for once its year is whole, and one that no calendar has is said', async () => {
    const { page, faults } = await signedIn(instance(), '/app/feeds', isLost)
    await page.getByRole('heading', { name: 'By state', exact: true }).waitFor()
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/summary?')) asked.push(new URL(request.url()).searchParams.get('from_date') ?? '')
    })
    const from = page.getByLabel('From', { exact: true })
    await from.focus()
    await page.keyboard.type('01112024')
    await page.waitForURL((url) => url.searchParams.get('from') !== null)
    await page.waitForLoadState('networkidle')
    expect(asked.map((day) => day.slice(0, 4))).toEqual(['2024'])
    await named(page, 'All days').click()
    await expect.poll(() => from.inputValue()).toBe('')

    await page.goto('/app/feeds?from=2026-13-40')
    await page
      .getByRole('alert')
      .getByText(/from_date/)
      .first()
      .waitFor()
    await page.getByRole('heading', { level: 1, name: 'New registrations', exact: true }).waitFor()
    expect(faults).toEqual([])
    await page.close()
  })

  test('whoever comes to the last page by its button stays there', async () => {
    const { page, faults } = await signedIn(instance(), '/app/feeds?state=Goa')
    const next = named(page, 'Next')
    await next.focus()
    while ((await next.getAttribute('aria-disabled')) === 'false') {
      const before = page.url()
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.href !== before)
      await page.waitForLoadState('networkidle')
    }
    expect(page.url()).toContain('page=')
    expect(await next.and(focused(page)).count()).toBe(1)
    const last = page.url()
    await page.keyboard.press('Enter')
    expect(page.url()).toBe(last)
    expect(faults).toEqual([])
    await page.close()
  })

  test('the page of the fields of a CRM that is gone says so', async () => {
    const { page, faults } = await signedIn(
      instance(),
      '/app/destinations/da30aa88-0000-4000-8000-a3410899a7b4/mapping',
      isLost,
    )
    const gone = page.getByRole('alert').filter({ hasText: 'There is no destination' })
    // As for whom a colleague of another account sent the address.
    await gone.getByText('Check the address, and that you are signed in to the account').waitFor()
    await gone.getByRole('link', { name: 'Home', exact: true }).waitFor()
    expect(faults).toEqual([])
    await page.close()
  })
}

async function holdBack(page: Page, address: string) {
  let [arrive, letGo] = [() => {}, () => {}]
  const came = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const released = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route(address, async (route) => {
    arrive()
    await released
    await route.continue()
  })
  return { came, letGo }
}
