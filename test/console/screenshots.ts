/**
 * `npm run screenshots` makes the pictures of docs/console.md, docs/standing-orders.md and the README anew: small ones of a sample world with a few
 * months of snapshots, the last of which is cut off and waits. Nothing of this machine stands in them.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { buildWeb } from '../../scripts/build-web.ts'
import { companies, snapshotText } from '../support/company-snapshots.ts'
import { type ConsoleInstance, signedIn, startConsole } from '../support/console-instance.ts'
import { importNextDay } from '../support/next-day.ts'

const folder = new URL('../../docs/images/', import.meta.url)
const size = { width: 1120, height: 700 }
const quality = 55
const phraseShown = 'private companies in Maharashtra with capital above 5 lakh'
const bytesMax = 60_000
/** Rows of each month, and how many of them are broken. */
const months = [
  [380, 3],
  [384, 2],
  [391, 9],
  [397, 4],
  [402, 1],
  [410, 12],
  [412, 2],
  [60, 0],
] as const

async function takeInMonths({ home }: ConsoleInstance): Promise<void> {
  for (const [index, [rows, broken]] of months.entries()) {
    const text = snapshotText(companies(1, rows, { registrar: 'Nicobar', name: 'TIDE LIMITED' }))
    const lines = text.split('\n')
    for (let n = 1; n <= broken; n++) lines[n * 7] = lines[n * 7]?.replace('PTC000', 'PTCOOO') ?? ''
    const file = join(home.dataDir, `companies-2026-0${index + 1}.csv`)
    writeFileSync(file, lines.join('\n'))
    await home.json('ingest', 'mca-companies', file, '--as-of', `2026-0${index + 1}-01`)
  }
}

async function shoot(page: Page, name: string): Promise<void> {
  await page.setViewportSize(size)
  await page.mouse.move(0, 0)
  await page.waitForLoadState('networkidle')
  const devtools = await page.context().newCDPSession(page)
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality })
  const picture = Buffer.from(data, 'base64')
  if (picture.length > bytesMax) throw new Error(`${name} weighs ${picture.length} bytes`)
  writeFileSync(new URL(`${name}.webp`, folder), picture)
  console.log(`docs/images/${name}.webp, ${picture.length} bytes`)
}

/** What a buyer opens first: the feed, the search, an order's leads in the CRMs, and a push before it is approved. */
async function shootBuyer(app: Page): Promise<void> {
  await app.goto('/app/feeds')
  await app
    .getByRole('group', { name: /^Registrations by state/ })
    .getByRole('button')
    .first()
    .waitFor()
  await shoot(app, 'feeds')
  await app.goto('/app/search')
  await app.getByRole('searchbox', { name: 'What are you looking for?', exact: true }).fill(phraseShown)
  await app.keyboard.press('Enter')
  await app.getByRole('region', { name: 'Read as', exact: true }).waitFor()
  await app.getByRole('region', { name: 'Filters', exact: true }).getByRole('checkbox').nth(5).waitFor()
  await shoot(app, 'search')
  await app.goto('/app/orders')
  await app.getByRole('link', { name: 'Sample order', exact: true }).click()
  await app.getByRole('link', { name: 'Its deliveries', exact: true }).click()
  await app
    .getByRole('button', { name: /^Open in / })
    .first()
    .waitFor()
  await shoot(app, 'deliveries')
  await app.goto('/app/destinations')
  await app.getByRole('link', { name: 'zoho sandbox', exact: true }).click()
  await app.getByRole('button', { name: 'Change', exact: true }).click()
  await app.getByRole('dialog').getByLabel('Paid orders go there', { exact: true }).selectOption('approved')
  await app.getByRole('dialog').getByRole('button', { name: 'Change', exact: true }).click()
  await app.getByText('Now: when someone approves its plan.').waitFor()
  await app.goto("/app/search?query=State+%3D%3D+'Goa'&type=company")
  await app.locator('tbody').getByRole('checkbox').first().waitFor()
  for (const box of (await app.locator('tbody').getByRole('checkbox').all()).slice(0, 6)) await box.check()
  await app.getByRole('button', { name: /^Buy \d leads/ }).click()
  await app
    .getByRole('dialog')
    .getByRole('button', { name: /^Buy \d leads/ })
    .click()
  await app.getByRole('link', { name: 'Deliver', exact: true }).click()
  await app.getByRole('button', { name: 'zoho sandbox', exact: true }).click()
  await app.getByText('Nothing is written yet.').waitFor()
  await shoot(app, 'push-plan')
}

/** A standing order before it is switched on, and its first run, which waits. */
async function shootStanding(world: ConsoleInstance, app: Page): Promise<void> {
  await app.goto('/app/standing-orders')
  await app.getByRole('link', { name: 'New companies in Goa', exact: true }).click()
  await app.getByRole('button', { name: 'Pause', exact: true }).click()
  await app.getByRole('dialog').getByRole('button', { name: 'Pause', exact: true }).click()
  await app.getByText('paused', { exact: true }).waitFor()
  await app.goto(`/app/search?${new URLSearchParams({ query: 'paidUpCapital >= 1 lakh' })}`)
  await app.getByRole('link', { name: 'Make a standing order', exact: true }).click()
  await app.getByLabel('Name', { exact: true }).fill('New and funded')
  await app.getByLabel('Only with a mobile number', { exact: true }).check()
  await app.getByLabel('Deliver into hubspot sandbox', { exact: true }).check()
  await app.getByRole('button', { name: 'Preview', exact: true }).click()
  await app.getByRole('region', { name: 'By the day of registration', exact: true }).waitFor()
  await app.evaluate('scrollTo(0, 0)')
  await shoot(app, 'standing-preview')
  await app.getByRole('button', { name: 'Save', exact: true }).click()
  await app.getByRole('button', { name: 'Switch on', exact: true }).click()
  await app.getByRole('dialog').getByRole('button', { name: 'Switch on', exact: true }).click()
  await app.getByText('active', { exact: true }).waitFor()
  await importNextDay(world.home)
  const approve = app.getByRole('button', { name: 'Approve', exact: true })
  while ((await approve.count()) === 0) await app.reload({ waitUntil: 'networkidle' })
  await approve.click()
  await shoot(app, 'standing-run')
}

buildWeb()
/** The app as a buyer has it who has seen the tour. */
async function pastTour(instance: ConsoleInstance): Promise<Page> {
  const { page } = await signedIn(instance, '/app')
  await page.getByRole('button', { name: 'Skip the tour', exact: true }).click()
  return page
}

const instance = await startConsole()
if (!instance) throw new Error('no browser starts')
try {
  mkdirSync(folder, { recursive: true })
  // Before the months, which fill the register with other companies.
  await shootStanding(instance, await pastTour(instance))
  await takeInMonths(instance)
  const { page } = await signedIn(instance, '/console')
  const waiting = page.getByRole('link', { name: /^Import \d+ of mca-companies$/ })
  await waiting.waitFor()
  await shoot(page, 'health')
  await page.goto('/console/sources/mca-companies')
  await page.getByRole('img', { name: /empty cells/ }).waitFor()
  await shoot(page, 'quality')
  await page.goto('/console')
  await waiting.click()
  await page.getByRole('heading', { name: 'What it would write', exact: true }).scrollIntoViewIfNeeded()
  await page.getByRole('heading', { name: 'Some that would be closed', exact: true }).waitFor()
  await page.evaluate('scrollTo(0, 0)')
  await shoot(page, 'waiting-run')
  await page.goto('/console/runs?source=mca-companies&status=succeeded')
  await page.locator('main tbody a').nth(1).click()
  await page.getByRole('link', { name: 'See the rejected rows', exact: true }).click()
  await page.getByRole('button', { name: 'Fix', exact: true }).first().click()
  await page.getByRole('dialog').waitFor()
  await shoot(page, 'fix')
  await page.goto('/console/accounts')
  await page.locator('main tbody a').first().click()
  await page.getByRole('img', { name: /^It reads/ }).waitFor()
  await shoot(page, 'account')
  await page.goto('/console')
  await page.getByRole('button', { name: 'See what arrived there', exact: true }).click()
  await page.getByRole('table').getByRole('link', { name: 'Salesforce', exact: true }).click()
  await page.locator('tbody a').first().click()
  await shoot(page, 'sandbox-record')
  await shootBuyer(await pastTour(instance))
} finally {
  await instance.stop()
}
