/** Every page of both applications, and the way to each in a sample world: a page of one thing is reached by the list that leads there. */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

const root = new URL('../../', import.meta.url)
export const routesOf = (application: string) =>
  [...readFileSync(new URL(`web/src/${application}/pages.ts`, root), 'utf8').matchAll(/pageRoute\('([^']+)'/g)].map(
    ([, path = '']) => path,
  )

/** Where a page of one thing is found: the first link of the list that leads there. */
export const reachedFrom: Readonly<Record<string, string>> = {
  '/console/runs/:id': '/console/runs',
  '/console/accounts/:id': '/console/accounts',
  '/console/orders/:id': '/console/orders',
  '/console/invoices/:number': '/console/invoices',
  '/console/records/:entity/:identifier': '/console/runs/4',
  '/app/orders/:id': '/app/orders',
  '/app/record/:type/:id': "/app/search?query=State+%3D%3D+'Maharashtra'",
  '/app/standing-orders/:id': '/app/standing-orders',
  '/app/standing-orders/:id/change': '/app/standing-orders',
  '/app/watchlists/:id': '/app/watchlists',
  '/app/purchases/:id': '/app/credits',
  '/app/keys/:prefix': '/app/keys',
  '/app/orders/:id/deliver': '/app/orders',
  '/app/destinations/:id': '/app/destinations',
  '/app/destinations/:id/mapping': '/app/destinations',
  '/app/destinations/:id/resend': '/app/destinations',
}

/** Pages of one thing that the sample world has under a known name. */
const namedIn: Readonly<Record<string, string>> = {
  '/console/sources/:source': '/console/sources/mca-companies',
  '/console/runs/:id/rejects': '/console/runs/1/rejects',
}

type Go = (page: Page, address: string) => Promise<unknown>

/** As by an address that is typed: the application begins anew. */
export const typed: Go = (page, address) => page.goto(address)

export async function visit(page: Page, address: string, go: Go = typed): Promise<void> {
  const list = reachedFrom[address]
  await go(page, list ?? namedIn[address] ?? address)
  if (list !== undefined) {
    await page.locator('main tbody a').first().click()
    await page.waitForURL(({ pathname }) => pathname !== list.split('?')[0])
    const below = address.split(/:\w+/).at(-1)
    if (below) await go(page, page.url() + below)
  }
  await page.getByRole('heading', { level: 1 }).waitFor()
  // What is under way says so in words, and they go when it is there.
  for (const words of ['Fetching', 'Loading', 'Reading', 'Drawing']) {
    await page
      .getByText(new RegExp(`^${words} .*…$`))
      .first()
      .waitFor({ state: 'hidden' })
  }
  await page.waitForLoadState('networkidle')
}

/** So that there is one to open. */
export async function beginPurchase(page: Page): Promise<void> {
  await page.goto('/app/credits')
  await page.getByRole('button', { name: 'Buy', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Legal name', { exact: true }).fill('Mandovi Trading LLP')
  await dialog.getByLabel('Address with PIN code', { exact: true }).fill('12 Altinho, Panaji 403001')
  await dialog.getByLabel('Your state', { exact: true }).selectOption('Goa')
  await dialog.getByRole('button', { name: 'Buy', exact: true }).click()
  await page.getByText('waits for its payment').waitFor()
}

/** So that there is one to open. */
export async function makeWatchlist(page: Page): Promise<void> {
  await page.goto('/app/watchlists')
  await page.getByRole('button', { name: 'Make a watchlist', exact: true }).click()
  await page.getByLabel('Name', { exact: true }).fill('Neighbours')
  await page.getByRole('dialog').getByRole('button', { name: 'Make a watchlist', exact: true }).click()
  await page.getByRole('link', { name: 'Neighbours', exact: true }).waitFor()
}
