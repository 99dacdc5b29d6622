/**
 * Faults of the sandbox CRMs, switched on and off at their own pages, and what the console makes of one: leads wait while the CRM is
 * away, and arrive by themselves once it is back.
 */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type OperatorDesk, patience } from '../../support/operator-desk.ts'
import { orderSome } from '../order-some.ts'
import { buyerToken, type Listed } from './buyer.ts'

/** The pages of the sandboxes, whose token the start printed. */
async function atSandboxes({ instance: { browser, printed } }: OperatorDesk): Promise<Page> {
  const [, origin = ''] = /(http\S+)\/control/.exec(printed) ?? []
  const [, token = ''] = /Sandbox token\s+(\S+)/.exec(printed) ?? []
  const page = await browser.newPage({ baseURL: origin })
  await page.goto('/pages')
  await page.getByLabel('Sandbox token', { exact: true }).fill(token)
  await page.getByRole('button', { name: 'Come in', exact: true }).click()
  await page.getByRole('heading', { name: 'Sandbox CRMs', exact: true }).waitFor()
  return page
}

export function describeSandboxes(desk: () => OperatorDesk): void {
  test('leads wait while a sandbox CRM is switched off, which is reported, and arrive once it is switched on', async () => {
    const { page, call } = desk()
    const crm = await atSandboxes(desk())
    await crm.goto('/pages/salesforce/faults')
    await crm.getByLabel('Fault', { exact: true }).selectOption('The CRM is away: every call fails with 503')
    await crm.getByLabel('How many calls', { exact: true }).fill('1000')
    await crm.getByRole('button', { name: 'Switch on', exact: true }).click()
    await crm.getByText('The CRM is away: every call fails with 503: 1000 calls').waitFor()

    const token = await buyerToken(desk())
    const { data: destinations } = await call<Listed<{ destination_id: string; type: string }>>(
      '/api/crm/destinations',
      undefined,
      token,
    )
    const destination = destinations.find(({ type }) => type === 'salesforce')?.destination_id ?? ''
    const failure = async () =>
      (await call<{ failure: { message: string } | null }>(`/api/crm/destinations/${destination}`, undefined, token))
        .failure
    const order = await orderSome(desk().instance, 'Kerala')
    await expect.poll(failure, patience).toMatchObject({ message: expect.stringContaining('503') })
    await page.goto(`/console/deliveries?${new URLSearchParams({ order, destination })}`)
    await page.getByRole('cell', { name: 'pending', exact: true }).first().waitFor()
    expect(await page.getByRole('button', { name: /^Open in / }).count()).toBe(0)
    await crm.getByRole('link', { name: 'Calls', exact: true }).click()
    await crm.getByRole('cell', { name: '503', exact: true }).first().waitFor()

    await crm.getByRole('link', { name: 'Faults', exact: true }).click()
    await crm.getByRole('button', { name: 'Switch all off', exact: true }).click()
    await crm.getByText('None. The CRM is well.').waitFor()
    // Nobody presses anything: it is tried again, and the page asks again.
    await page
      .getByRole('button', { name: /^Open in / })
      .first()
      .waitFor()
    await page.getByRole('cell', { name: 'pending', exact: true }).first().waitFor({ state: 'detached' })
    expect(await failure()).toBeNull()
    await crm.close()
  }, 240_000)

  test('each fault that a sandbox page offers is switched on there, stands below, and goes with all of them', async () => {
    const crm = await atSandboxes(desk())
    for (const name of ['hubspot', 'zoho', 'salesforce', 'razorpay']) {
      await crm.goto(`/pages/${name}/faults`)
      const offered = await crm.getByLabel('Fault', { exact: true }).getByRole('option').allTextContents()
      expect(offered.length).toBeGreaterThan(5)
      for (const fault of offered) {
        await crm.getByLabel('Fault', { exact: true }).selectOption(fault)
        await crm.getByLabel(/^Only calls.* with this in their path$/).fill('/nobody-calls-this')
        await crm.getByRole('button', { name: 'Switch on', exact: true }).click()
        await crm
          .getByRole('listitem')
          .filter({ hasText: `${fault}: 1 call` })
          .waitFor()
      }
      expect(await crm.getByRole('main').getByRole('listitem').count()).toBe(offered.length)
      await crm.getByRole('button', { name: 'Switch all off', exact: true }).click()
      await crm.getByText('None. The CRM is well.').waitFor()
    }
    await crm.close()
  }, 120_000)
}
