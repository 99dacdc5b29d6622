/**
 * Money of an account's people: a plan is bought, renewed and cancelled, and what each does is said before; a pack of credits is
 * bought on the processor's page, and half of it given back with a credit note.
 */
import { expect, test } from 'vitest'
import { violations } from '../../support/browser.ts'
import { type ConsoleInstance, operatorToken, signedIn } from '../../support/console-instance.ts'
import { goTo } from '../../support/page-links.ts'
import { asProgram } from '../as-program.ts'
import { newAccount } from '../new-account.ts'
import { press } from './press.ts'

async function giveCredits({ url }: ConsoleInstance, account: string, credits: number): Promise<void> {
  const given = await fetch(`${url}/admin/users/${account}/credits`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${operatorToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ credits, reference: `${credits} to ${account}`, reason: 'for a test' }),
  })
  expect(given.status).toBe(200)
}

/** @returns the CIN of a company that can be reached, and of one that cannot. */
async function oneOfEach(call: Awaited<ReturnType<typeof asProgram>>): Promise<readonly [string, string]> {
  const find = async (query: string, reachable: number) => {
    const { results } = await call<{ results: readonly { CIN: string; companyName: string }[] }>(
      ...(['POST', '/api/screener/search', { query, type: 'company', limit: 20 }] as const),
    )
    for (const { CIN, companyName } of results) {
      const items = [{ type: 'company', name: companyName, number: CIN }]
      const { types } = await call<{ types: readonly { reachable: number }[] }>('POST', '/api/orders/quote', { items })
      if (types[0]?.reachable === reachable) return CIN
    }
    throw new Error(`the sample has none of ${query}`)
  }
  const active = "llpStatus == 'Active' AND"
  return [await find(`${active} has_mobile`, 1), await find(`${active} NOT has_mobile AND NOT has_email`, 0)]
}

const creditsIn = (heading: string | null): number => Number((heading ?? '').replaceAll(/\D/g, ''))

export function describeMoney(instance: () => ConsoleInstance): void {
  test('whoever has too few credits for an order reads before and after what it costs, and the way to more', async () => {
    const isRefused = (message: string) => message.includes('/api/orders/normal')
    const made = await instance().home.json('account', 'create', '--email', 'no-credits@example.com')
    const poor = { ...instance(), apiKey: (made.answer as { api_key: string }).api_key }
    const { page, faults } = await signedIn(poor, '/app', isRefused)
    await page.goto(`/app/search?${new URLSearchParams({ query: "State == 'Maharashtra'" })}`)
    await page.getByRole('heading', { name: /records found$/ }).waitFor()
    await page.locator('tbody').getByRole('checkbox').nth(1).waitFor()
    for (const box of (await page.locator('tbody').getByRole('checkbox').all()).slice(0, 2)) await box.check()
    await page.getByRole('button', { name: /^Buy 2 leads · 2 credits/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('It costs 2 credits; you have 0 credits.').waitFor()
    await dialog.getByText(/You do not have enough:/).waitFor()
    await dialog.getByRole('button', { name: /^Buy 2 leads/ }).click()
    const refusal = dialog.getByRole('alert')
    await refusal.getByText('It costs 2 credits, and 0 can be spent on it. Nothing was written.').waitFor()
    expect(await violations(page)).toEqual([])
    await refusal.getByRole('link', { name: 'Buy credits.', exact: true }).click()
    await page.waitForURL('**/app/credits')
    await page.goto('/app/orders')
    await page.getByText(/^No orders yet\./).waitFor()
    expect(faults).toEqual([])
    await page.close()
  }, 180_000)

  test('an order that some credits return from needs them all at first, and one of which nobody can be reached has no leads', async () => {
    const isRefused = (message: string) => message.includes('/api/orders/normal')
    const apiKey = await newAccount(instance(), 'one-credit@example.com')
    const poor = { ...instance(), apiKey }
    const call = await asProgram(poor)
    const { user_id } = await call<{ user_id: string }>('GET', '/api/users/me')
    await giveCredits(instance(), user_id, 1)
    const [reached, unreached] = await oneOfEach(call)
    const { page, faults } = await signedIn(poor, '/app', isRefused)
    await page.goto(`/app/search?${new URLSearchParams({ query: `CIN IN ['${reached}', '${unreached}']` })}`)
    await page.getByRole('button', { name: 'Choose all on this page', exact: true }).click()
    await page.getByRole('button', { name: /^Buy 2 leads · 1 credit / }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/^It costs 1 credit; you have 1 credit\./).waitFor()
    expect(await dialog.getByText(/To place the order you need 2 credits\. You do not have enough:/).count()).toBe(1)
    await dialog.getByRole('button', { name: /^Buy 2 leads/ }).click()
    await dialog.getByRole('alert').getByText('It costs 2 credits, and 1 can be spent on it.').waitFor()
    await dialog.getByRole('button', { name: 'Not now', exact: true }).click()

    await page.getByRole('row').filter({ hasText: reached }).getByRole('checkbox').uncheck()
    await page.getByRole('button', { name: /^Buy 1 lead / }).click()
    await dialog.getByRole('button', { name: /^Buy 1 lead/ }).click()
    await page.getByText('nobody can be reached', { exact: false }).first().waitFor()
    expect(await page.locator('dt', { hasText: 'Charged for' }).locator('+ dd').textContent()).toBe('0 records')
    await page.getByRole('heading', { name: 'Leads', exact: true }).waitFor()
    const leads = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Leads', exact: true }) })
    await leads.locator('.empty').waitFor()
    expect(await leads.locator('.empty').textContent()).toMatch(/^It has no leads: /)
    expect(faults).toEqual([])
    await page.close()
  }, 180_000)

  test('a plan is bought with credits, renewed and cancelled at its end; what each does is said before', async () => {
    const { page, faults } = await signedIn(instance(), '/app/account')
    const account = await page.locator('dt', { hasText: 'Id' }).locator('+ dd').textContent()
    await giveCredits(instance(), account ?? '', 700)
    await page.goto('/app/plans')
    const name = 'New companies and directors, 30 days'
    const dialog = page.getByRole('dialog')
    const held = page.getByRole('region', { name: `${name}, which you have`, exact: true })
    // What is sold for money alone promises nothing of credits.
    const forMoney = page.getByRole('region', { name: 'Premium, yearly', exact: true })
    await forMoney.getByRole('button', { name: 'Subscribe', exact: true }).click()
    await dialog.getByText('It begins with the payment and runs for 365 days.').waitFor()
    expect(await dialog.getByText(/[Ww]ith credits|renew itself/).count()).toBe(0)
    await dialog.getByRole('button', { name: 'Not now', exact: true }).click()
    await page
      .getByRole('region', { name, exact: true })
      .getByRole('button', { name: 'Subscribe', exact: true })
      .click()
    await dialog.getByText(/^It costs 330 credits of the [\d,]+ credits that you have/).waitFor()
    await press(page, 'Subscribe')
    await held.getByText('runs', { exact: true }).waitFor()

    // Whoever buys another reads that this one goes on.
    await forMoney.getByRole('button', { name: 'Subscribe', exact: true }).click()
    await dialog
      .getByText(new RegExp(`^It does not replace ${name}, which continues alongside it until .* IST\\.$`))
      .waitFor()
    await dialog.getByRole('button', { name: 'Not now', exact: true }).click()

    await held.getByRole('button', { name: 'Cancel at its end', exact: true }).click()
    await dialog.getByText(/^It stays open until .* IST, to the end of what was paid/).waitFor()
    await press(page, 'Cancel at its end')
    await held.getByText('ends, cancelled').waitFor()

    // A renewal takes the cancellation back.
    await held.getByRole('button', { name: 'Renew', exact: true }).click()
    await dialog.getByText(/Your cancellation is undone\./).waitFor()
    await press(page, 'Renew')
    await held.getByText('runs', { exact: true }).waitFor()
    await expect.poll(() => held.getByRole('table').getByRole('row').count()).toBe(3)
    expect(await violations(page)).toEqual([])
    await goTo(page, 'Credits')
    const kind = page.getByLabel('Kind', { exact: true })
    await kind.waitFor()
    expect(await kind.locator('option').allTextContents()).toContain('subscribe')
    await kind.selectOption('subscribe')
    const kinds = page.getByRole('region', { name: 'Credits', exact: true }).locator('td[data-head="Kind"]')
    const shown = async () => [...new Set((await kinds.allTextContents()).map((each) => each.split(',')[0]))]
    await expect.poll(shown).toEqual(['subscribe'])
    expect(faults).toEqual([])
    await page.close()
  }, 180_000)

  test('a buyer sees what a pack costs, pays on the processor’s page, and gets the credits and the invoice', async () => {
    const { page, faults } = await signedIn(instance(), '/app')
    await goTo(page, 'Credits')
    const balance = page.getByRole('heading', { name: /^[\d,]+ credits? left$/ })
    await balance.waitFor()
    const before = creditsIn(await balance.textContent())
    await page
      .getByRole('region', { name: 'Pack of 100 credits', exact: true })
      .getByRole('button', { name: 'Buy', exact: true })
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('₹1,180.00, including ₹180.00 GST').waitFor()
    const filled = await dialog
      .locator('[autocomplete]')
      .evaluateAll((fields) => fields.map((field) => field.getAttribute('autocomplete')))
    expect(filled).toEqual(['organization', 'street-address', 'address-level1', 'off'])
    await dialog.getByLabel('Legal name', { exact: true }).fill('गोदावरी डेटा LLP')
    await dialog.getByLabel('Address with PIN code', { exact: true }).fill('1 MG Road, Pune 411001')
    await dialog.getByLabel('Your state', { exact: true }).selectOption('Maharashtra')
    await dialog.getByRole('button', { name: 'Buy', exact: true }).click()

    await page.getByRole('heading', { name: 'Purchase of 100 credits', exact: true }).waitFor()
    const purchase = page.url().split('/').at(-1)
    const opened = page.context().waitForEvent('page')
    await page.getByRole('link', { name: 'Pay ₹1,180.00', exact: true }).click()
    const processor = await opened
    await processor.getByRole('button', { name: 'Pay', exact: true }).click()
    await processor.getByText(/captured/).waitFor()
    await processor.close()
    // Nobody presses anything on the page: it hears of the payment.
    await page.getByText('The credits are yours.').waitFor()

    await page.getByRole('link', { name: 'The invoice', exact: true }).click()
    await page.getByText('₹180.00 IGST').waitFor()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'PDF', exact: true }).click()
    expect((await saved).suggestedFilename()).toMatch(/^PI-\d{4}-\d{7}\.pdf$/)
    await goTo(page, 'Credits')
    await expect.poll(async () => creditsIn(await balance.textContent()), { timeout: 60_000 }).toBe(before + 100)

    // Half of the money goes back, and half of the credits with it.
    const answer = await fetch(`${instance().url}/admin/payments/refund`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${operatorToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ of: purchase, amount: 59_000, reference: 'half', reason: 'asked for by the buyer' }),
    })
    expect(answer.status).toBe(200)
    await goTo(page, 'Invoices')
    const note = page.getByRole('row').filter({ hasText: 'credit note' })
    await expect
      .poll(
        async () => {
          await page.reload()
          await page.getByRole('region', { name: 'Invoices and credit notes', exact: true }).waitFor()
          return note.count()
        },
        { timeout: 60_000 },
      )
      .toBe(1)
    expect(await note.textContent()).toContain('₹90.00 IGST')
    expect(faults).toEqual([])
    await page.close()
  }, 240_000)
}
