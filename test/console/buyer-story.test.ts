/**
 * A buyer's stories, told by clicks alone: what is searched for, mended where it is wrong, ordered and paid with credits,
 * becomes leads on the page; a pack of credits is bought on the processor's page, and given back with a credit note; a push is
 * planned and approved, the leads arrive in the sandbox CRM, and a bad contact is reported and gives its credit back.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violations } from '../support/browser.ts'
import { type ConsoleInstance, operatorToken, signedIn, startConsole } from '../support/console-instance.ts'
import { freePort } from '../support/free-port.ts'
import { laySampleWorld } from '../support/sample-world.ts'

let instance: ConsoleInstance | undefined
beforeAll(async () => {
  const port = await freePort()
  // Where a CRM's own page sends a browser back to.
  const env = { PORT: String(port), PANJI_PUBLIC_URL: `http://127.0.0.1:${port}` }
  instance = await startConsole(env, laySampleWorld)
}, 240_000)
afterAll(() => instance?.stop())

// A browser tells in its console of each answer that is a refusal, and a query with a mistake is refused.
const isMistake = (message: string) => message.includes('422') && message.includes('/api/screener/')

test('a buyer mends a query with a click, orders what it finds, and sees the leads', async ({ skip }) => {
  if (!instance) return skip()
  const { page, faults } = await signedIn(instance, '/app', isMistake)
  await page.getByRole('link', { name: 'Search', exact: true }).click()
  const editor = page.getByRole('textbox', { name: 'Query' })
  await editor.pressSequentially("State = 'Maharashtra'")
  await page.keyboard.press('Escape')
  await page.locator('.cm-lintRange-error').hover()
  await page.getByRole('button', { name: 'Write ==' }).click()
  await page.getByText(/Finds [1-9][\d,]* records/).waitFor()
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('heading', { name: /\d records found/ }).waitFor()

  // A facet narrows the query; going back widens it again.
  const facets = page.getByRole('region', { name: 'Narrow it' })
  const [, found = ''] =
    /^([\d,]+)/.exec((await page.getByRole('heading', { name: /found$/ }).textContent()) ?? '') ?? []
  await facets.getByRole('button').first().click()
  await page
    .getByRole('heading', { name: /found$/ })
    .filter({ hasNotText: `${found} ` })
    .waitFor()
  expect(new URL(page.url()).searchParams.get('query')).toMatch(/^\(State == 'Maharashtra'\) AND \w+ ==/)
  await page.goBack()
  await page.getByRole('heading', { name: `${found} records found` }).waitFor()

  for (const box of (await page.getByRole('checkbox').all()).slice(0, 3)) await box.check()
  await page.getByRole('button', { name: 'Order 3 records' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name of the order').fill('Three of Maharashtra')
  await dialog.getByRole('button', { name: 'Order 3 records' }).click()

  await page.getByRole('heading', { name: 'Three of Maharashtra' }).waitFor()
  await page.getByText('completed').waitFor()
  const leads = page.getByRole('region', { name: 'Leads of the order' })
  await leads.getByRole('row').nth(1).waitFor()
  expect(await page.getByRole('region', { name: 'Records of the order' }).getByRole('row').count()).toBe(4)
  // What could not be reached was given back; the rest are leads.
  const refunded = await page.getByText('none, refunded').count()
  expect(await leads.getByRole('row').count()).toBe(4 - refunded)
  expect(faults).toEqual([])
  await page.close()
}, 180_000)

test('a buyer is told what a pack costs, pays on the processor’s page, and sees the credits and the invoice', async ({
  skip,
}) => {
  if (!instance) return skip()
  const { page, faults } = await signedIn(instance, '/app')
  await page.getByRole('link', { name: 'Credits', exact: true }).click()
  const balance = page.getByRole('heading', { name: /^[\d,]+ credits? left$/ })
  await balance.waitFor()
  const before = creditsIn(await balance.textContent())
  await page.getByRole('region', { name: 'Pack of 100 credits' }).getByRole('button', { name: 'Buy' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('₹1,180.00, of it ₹180.00 GST').waitFor()
  await dialog.getByLabel('Code of the buyer’s state').fill('27')
  await dialog.getByRole('button', { name: 'Buy' }).click()

  await page.getByRole('heading', { name: 'Purchase of 100 credits' }).waitFor()
  const purchase = page.url().split('/').at(-1)
  const opened = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Pay ₹1,180.00' }).click()
  const processor = await opened
  await processor.getByRole('button', { name: 'Pay' }).click()
  await processor.getByText('captured').waitFor()
  await processor.close()
  // Nobody presses anything on the page: it hears of the payment.
  await page.getByText('The credits are yours.').waitFor()

  await page.getByRole('link', { name: 'The invoice' }).click()
  await page.getByText('₹180.00 IGST').waitFor()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'PDF' }).click()
  expect((await saved).suggestedFilename()).toMatch(/^PI-\d{4}-\d{7}\.pdf$/)
  await page.getByRole('link', { name: 'Credits', exact: true }).click()
  await expect.poll(async () => creditsIn(await balance.textContent()), { timeout: 60_000 }).toBe(before + 100)

  // Half of the money goes back, and half of the credits with it.
  const answer = await fetch(`${instance.url}/admin/payments/refund`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${operatorToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ of: purchase, amount: 59_000, reference: 'half', reason: 'asked for by the buyer' }),
  })
  expect(answer.status).toBe(200)
  await page.getByRole('link', { name: 'Invoices', exact: true }).click()
  const note = page.getByRole('row').filter({ hasText: 'credit note' })
  await expect
    .poll(
      async () => {
        await page.reload()
        await page.getByRole('region', { name: 'Invoices and credit notes' }).waitFor()
        return note.count()
      },
      { timeout: 60_000 },
    )
    .toBe(1)
  expect(await note.textContent()).toContain('₹90.00 IGST')
  expect(faults).toEqual([])
  await page.close()
}, 240_000)

test('a buyer sees what a push would write, approves it, watches the leads arrive, and a bad contact gives its credit back', async ({
  skip,
}) => {
  if (!instance) return skip()
  const { page, faults } = await signedIn(instance, '/app')
  const dialog = page.getByRole('dialog')
  // From now on nothing goes there by itself.
  await page.getByRole('link', { name: 'CRMs', exact: true }).click()
  await page.getByRole('link', { name: 'hubspot sandbox' }).click()
  await page.getByRole('button', { name: 'Change' }).click()
  await dialog.getByLabel('Paid orders go there').selectOption('approved')
  await dialog.getByRole('button', { name: 'Change' }).click()
  await page.getByText('Now: when somebody approves a plan of it.').waitFor()

  await page.goto("/app/search?query=State+%3D%3D+'Goa'&type=company")
  await page.getByRole('checkbox').first().waitFor()
  for (const box of (await page.getByRole('checkbox').all()).slice(0, 4)) await box.check()
  await page.getByRole('button', { name: 'Order 4 records' }).click()
  await dialog.getByLabel('Name of the order').fill('Four of Goa')
  await dialog.getByRole('button', { name: 'Order 4 records' }).click()
  await page.getByRole('heading', { name: 'Four of Goa' }).waitFor()
  await page.getByRole('region', { name: 'Leads of the order' }).getByRole('row').nth(1).waitFor()
  const order = page.url()

  await page.getByRole('link', { name: 'Deliver', exact: true }).click()
  await page.getByRole('button', { name: 'hubspot sandbox' }).click()
  await page.getByText('Nothing is written yet.').waitFor()
  const planned = page.getByRole('region', { name: 'What would happen to each lead' })
  await planned.getByText('made new').first().waitFor()
  const leads = (await planned.getByRole('row').count()) - 1
  await page.getByRole('button', { name: 'Approve and deliver' }).click()
  await dialog.getByRole('button', { name: 'Approve and deliver' }).click()
  await page.getByRole('heading', { name: 'Deliveries' }).waitFor()
  const arrived = page.locator('main tbody tr').filter({ has: page.getByRole('button', { name: /^See \S+$/ }) })
  await expect.poll(() => arrived.count(), { timeout: 60_000 }).toBe(leads)

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'A page, or' }).pressSequentially('four of')
  await page.getByRole('option', { name: 'Four of Goa order' }).click()
  await page.waitForURL(order)
  const delivered = page.getByRole('row').filter({ hasText: 'found' }).first()
  await delivered.getByRole('link', { name: /^Trace / }).click()
  const trace = page.getByRole('region', { name: /^Where .* came from$/ })
  await trace.getByText(/\.csv of mca-companies, .*, line [\d,]+, taken in by run \d+/).waitFor()
  await trace.getByText(/^1 credit set aside/).waitFor()
  await trace.getByText('created').first().waitFor()
  expect(await violations(page)).toEqual([])

  await page.getByRole('button', { name: 'Report' }).first().click()
  await dialog.getByLabel('What is wrong with it').fill('The number belongs to somebody else.')
  await dialog.getByRole('button', { name: 'Report' }).click()
  await page.getByText('reported; the operator has not decided yet').waitFor()
  const operator = await signedIn(instance, '/console')
  await operator.page.getByRole('link', { name: 'Reports', exact: true }).click()
  await operator.page.getByRole('button', { name: 'Decide' }).click()
  await operator.page.getByRole('dialog').getByLabel('Reason').fill('called them')
  await operator.page.getByRole('dialog').getByRole('button', { name: 'Decide' }).click()
  await operator.page.getByText('No report waits.').waitFor()
  await page.reload()
  await page.getByText('your report was accepted').waitFor()
  expect([...faults, ...operator.faults]).toEqual([])
  await operator.page.close()
  await page.close()
}, 180_000)

test('a buyer renews a CRM at its own page with the word that it shows, and takes several orders away as one file', async ({
  skip,
}) => {
  if (!instance) return skip()
  const { page, faults } = await signedIn(instance, '/app')
  await page.goto('/app/destinations')
  await page.getByRole('link', { name: 'zoho sandbox' }).click()
  await page.getByText('Renew its credentials').click()
  await page.getByRole('button', { name: 'At Zoho CRM’s own page' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'At Zoho CRM’s own page' }).click()
  const opened = page.context().waitForEvent('page')
  await dialog.getByRole('link', { name: 'Open Zoho CRM’s page' }).click()
  const vendor = await opened
  await vendor.getByRole('button', { name: 'Allow' }).click()
  const word = (await vendor.locator('output').textContent()) ?? ''
  await vendor.close()
  await dialog.getByLabel('Word that the page showed').fill(word)
  await dialog.getByRole('button', { name: 'Finish' }).click()
  await dialog.getByText('zoho sandbox is connected').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.goto('/app/destinations/connect')
  await page.getByRole('button', { name: 'At Salesforce’s own page' }).waitFor()

  await page.goto('/app/orders')
  await page.getByRole('checkbox').first().waitFor()
  for (const box of (await page.getByRole('checkbox').all()).slice(0, 2)) await box.check()
  const together = page.getByRole('group', { name: 'What was chosen as one file' })
  const saved = page.waitForEvent('download')
  await together.getByRole('button', { name: 'CSV' }).click()
  expect((await saved).suggestedFilename()).toBe('2-orders.csv')
  expect(faults).toEqual([])
  await page.close()
}, 240_000)

const creditsIn = (heading: string | null): number => Number((heading ?? '').replaceAll(/\D/g, ''))

test('a buyer walks from a company to a director and back by keyboard, and looks for its GST registrations', async ({
  skip,
}) => {
  if (!instance) return skip()
  const { page, faults } = await signedIn(instance, '/app')
  // The one that the start names as an example.
  const [, cin = ''] = /[?&]cin=(\w+)/.exec(instance.printed) ?? []
  await page.goto(`/app/record/company/${cin}`)
  await page.getByRole('button', { name: 'As of today' }).click()
  const graph = page.getByRole('figure', { name: /^What .* belongs to$/ })
  const company = (await graph.locator('.here').textContent()) ?? ''
  const director = graph.getByRole('link').first()
  const name = (await director.textContent()) ?? ''
  await director.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await graph.getByRole('link', { name: company }).first().waitFor()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: company }).waitFor()
  await page.getByRole('button', { name: 'Find GST registrations of this name' }).click()
  await page
    .getByText(/GST registration of that legal name|holds none of this name/)
    .first()
    .waitFor()
  expect(faults).toEqual([])
  await page.close()
}, 240_000)

test('a buyer sees the feed on a map, one state and one day of it, and the address holds both', async ({ skip }) => {
  if (!instance) return skip()
  const { page, faults } = await signedIn(instance, '/app')
  await page.goto('/app/feeds')
  const map = page.getByRole('group', { name: /^Registrations by state/ })
  const tile = map.getByRole('button').first()
  const [, state = '', amount = ''] = /^\w\w (.+): (.+)$/.exec((await tile.textContent()) ?? '') ?? []
  await tile.click()
  await page.getByRole('heading', { name: new RegExp(`^${amount} registrations?$`) }).waitFor()
  expect(new URL(page.url()).searchParams.get('state')).toBe(state)
  await page.reload()
  await page.getByRole('heading', { name: new RegExp(`^${amount} registrations?$`) }).waitFor()
  expect(await map.getByRole('button', { name: `${state}: ${amount}` }).getAttribute('aria-pressed')).toBe('true')
  expect(faults).toEqual([])
  await page.close()
}, 240_000)
