/**
 * Every page of the console as a browser shows it: nothing goes wrong in its scripts, it asks nobody but its own server,
 * axe finds nothing wrong with it in both themes, at the width of a desk and of a phone, and no
 * column of a table is cut at those and two between; nothing is cut by letters of twice the size, on a phone or where somebody
 * chose them for all pages.
 */
import { describe, expect, test } from 'vitest'
import {
  cutAtTwice,
  cutByChosenLetters,
  cutTables,
  openPage,
  tableWidths,
  themes,
  violations,
  widths,
} from '../support/browser.ts'
import { signedIn, startConsole } from '../support/console-instance.ts'
import { figure } from '../support/figures.ts'
import { follow } from '../support/page-links.ts'
import { laySampleWorld } from '../support/sample-world.ts'
import { useConsole } from '../support/use-console.ts'
import { beginPurchase, makeWatchlist, routesOf, typed, visit } from './every-page.ts'
import { payForPack } from './pay-for-pack.ts'

const instance = useConsole(async () => {
  const started = await startConsole({}, laySampleWorld)
  // So that there is an invoice to open.
  if (started) await payForPack(started, 'Godavari Data LLP')
  return started
})

const rulesFor = (theme: (typeof themes)[number]) => (theme === themes[0] ? 'all' : 'colours')

/** The colours of the other theme do not depend on the width, so one width shows them; the long run looks at both. */
const themesAt = (width: number) => (width === widths.desk ? themes : themes.slice(0, figure(1, themes.length)))

/** Half a desk's window; in the long run all of it, too. */
const chosenWidths = [720, widths.desk].slice(0, figure(1, 2))

describe.each(['console', 'app'] as const)('the pages of /%s', (application) => {
  test('go without a fault and without a violation, in both themes, on a desk and on a phone, and cut no column', async () => {
    const { page, faults } = await signedIn(instance(), `/${application}`)
    if (application === 'app') {
      await makeWatchlist(page)
      await beginPurchase(page)
    }
    const found: string[] = []
    for (const path of routesOf(application)) {
      const address = `/${application}${path === '/' ? '' : path}`
      // Where the application stays, axe does, too. The console's pages begin anew where a viewer looks at them, below.
      await visit(page, address, application === 'console' ? follow : typed)
      for (const width of Object.values(widths)) {
        await page.setViewportSize({ width, height: 900 })
        for (const colorScheme of themesAt(width)) {
          await page.emulateMedia({ colorScheme })
          const at = `${address} at ${width} pixels, ${colorScheme}`
          found.push(...(await violations(page, rulesFor(colorScheme))).map((violation) => `${at}: ${violation}`))
        }
      }
      for (const width of tableWidths) {
        await page.setViewportSize({ width, height: 900 })
        found.push(...(await cutTables(page)).map((cut) => `${address} at ${width} pixels: ${cut}`))
      }
      found.push(...(await cutAtTwice(page)).map((cut) => `${address} with letters of twice the size: ${cut}`))
      for (const width of chosenWidths) {
        const at = `${address} at ${width} pixels with chosen letters of twice the size`
        found.push(...(await cutByChosenLetters(page, width)).map((cut) => `${at}: ${cut}`))
      }
      found.push(...faults.splice(0).map((fault) => `${address}: ${fault}`))
    }
    expect(found).toEqual([])
    await page.close()
  }, 480_000)

  test('begin with a door that asks nothing of nobody', async () => {
    const { page, faults } = await openPage(instance().browser, instance().url)
    await page.goto(`/${application}/orders`)
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    expect(await violations(page)).toEqual([])
    expect(faults).toEqual([])
    await page.close()
  })
})

/** What a viewer may press: nothing of it changes anything. */
const harmless =
  /^(Search|Look it up|Show more|First|Previous|Next|Last|Copy.*|Copied|Show those of all .*|Download CSV|[A-Z][a-z ]+ as CSV|PDF)$/

test('a viewer finds no button on any page that would be refused', async () => {
  const { code, answer } = await instance().home.json('operator', 'add', 'vera', '--role', 'viewer')
  expect(code).toBe(0)
  const { page, faults } = await signedIn(instance(), '/console', undefined, (answer as { token: string }).token)
  const found: string[] = []
  for (const path of routesOf('console')) {
    await visit(page, `/console${path === '/' ? '' : path}`)
    // But those that only show: the order and the columns of a table, and what has no room in sight.
    const names = await page.locator('main button:not(.sort, .column-choice, .tip)').allTextContents()
    found.push(...names.filter((name) => !harmless.test(name)).map((name) => `${path}: ${name}`))
  }
  expect(found).toEqual([])
  expect(faults).toEqual([])
  await page.close()
}, 120_000)

test('the sandbox CRMs are reached from the first page by a click, and are without a violation, too', async () => {
  const { page } = await signedIn(instance(), '/console')
  await page.getByRole('button', { name: 'See what arrived there', exact: true }).click()
  const table = page.getByRole('table')
  await table.getByRole('link', { name: 'Salesforce', exact: true }).click()
  await page.waitForURL('**/pages/salesforce/records')
  await page.locator('tbody a').first().click()
  await page.getByRole('heading', { name: 'Change a field by hand', exact: true }).waitFor()
  const record = page.url()
  const found: string[] = []
  for (const address of [
    '/pages',
    '/pages/hubspot/records',
    '/pages/salesforce/calls',
    '/pages/razorpay/faults',
    record,
  ]) {
    await page.goto(new URL(address, record).href)
    for (const width of Object.values(widths)) {
      await page.setViewportSize({ width, height: 900 })
      for (const colorScheme of themesAt(width)) {
        await page.emulateMedia({ colorScheme })
        found.push(
          ...(await violations(page, rulesFor(colorScheme))).map(
            (violation) => `${address} at ${width}, ${colorScheme}: ${violation}`,
          ),
        )
      }
      if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) found.push(`${address} at ${width}`)
    }
  }
  expect(found).toEqual([])
  await page.close()
}, 120_000)

test('the reference shows the document under a policy that lets no text of the page run or style it', async () => {
  // Attributes of style that the library writes as text: of a hidden measure, and of numbers beside lines.
  const { page, faults } = await openPage(instance().browser, instance().url, (told) =>
    told.includes('style attributes'),
  )
  await page.goto('/docs/')
  await page.getByRole('heading', { name: 'Panji API', level: 1, exact: true }).waitFor()
  expect(
    await page.evaluate(`getComputedStyle(document.querySelector('.scalar-app')).getPropertyValue('--scalar-radius')`),
  ).not.toBe('')
  await page.goto('/docs/errors')
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(faults).toEqual([])
  await page.close()
}, 240_000)
