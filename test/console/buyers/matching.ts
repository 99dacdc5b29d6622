/** A lead that the CRM may hold already waits on its buyer's Home; the buyer looks at what would change, and takes the record over. */
import { expect, test } from 'vitest'
import { connect } from '../../conformance/salesforce-org.ts'
import { violations } from '../../support/browser.ts'
import { type ConsoleInstance, signedIn } from '../../support/console-instance.ts'
import { asProgram } from '../as-program.ts'
import type { Listed } from '../operators/buyer.ts'
import { orderSome } from '../order-some.ts'
import { sandboxOf } from '../seen-in-sandbox.ts'

interface Lead {
  readonly Company: string
  readonly City: string
}

export function describeMatching(instance: () => ConsoleInstance): void {
  test('a lead that the CRM may hold already waits on Home, is decided by three clicks, and goes into the record that was there', async () => {
    const { printed } = instance()
    const call = await asProgram(instance())
    const { data: crms } = await call<Listed<{ destination_id: string; type: string }>>('GET', '/api/crm/destinations')
    const id = crms.find(({ type }) => type === 'salesforce')?.destination_id ?? ''
    const deliver = (when: string) => call('PATCH', `/api/crm/destinations/${id}`, { deliver: when })
    await deliver('manual')
    const order = await orderSome(instance(), 'Kerala')
    const leads = async () => (await call<{ leads: Lead[] }>('GET', `/api/crm/orders/${order}/leads`)).leads
    await expect.poll(async () => (await leads()).length, { timeout: 60_000 }).toBeGreaterThan(0)
    const [lead] = await leads()

    // Somebody of the customer's had met them before.
    const [, word = ''] = /Sandbox token\s+(\S+)/.exec(printed) ?? []
    const settings = await fetch(`${sandboxOf(instance())}/control/settings?crm=salesforce`, {
      headers: { Authorization: `Bearer ${word}` },
    })
    const org = (await connect((await settings.json()) as Record<string, unknown>)).sobject('Lead')
    const held = { LastName: 'As we know them', Company: lead?.Company ?? '', City: lead?.City ?? '' }
    const recordId = String((await org.create(held)).id)
    await deliver('automatic')
    await call('POST', `/api/crm/orders/${order}/push`, { destination_id: id })

    const undecided = async () => {
      const { data } = await call<Listed<{ destination_id: string; undecided: number }>>(
        'GET',
        '/api/crm/delivery-summary',
      )
      return data.find(({ destination_id }) => destination_id === id)?.undecided
    }
    await expect.poll(undecided, { timeout: 60_000, interval: 500 }).toBe(1)

    const { page, faults } = await signedIn(instance(), '/app')
    const needs = page.getByRole('region', { name: 'Needs you', exact: true })
    await needs.getByText('already has records like 1 lead that needs your decision').waitFor()
    await needs.getByRole('link', { name: 'Decide', exact: true }).click()
    const waits = page.locator('main tbody tr').filter({ hasText: recordId })
    await waits.getByText(/agrees in Company \(45\), City \(15\): 60 of 100/).waitFor()
    expect(await violations(page)).toEqual([])
    await waits.getByRole('link', { name: 'Decide', exact: true }).click()
    await page
      .getByRole('region', { name: 'What would happen to each lead', exact: true })
      .getByText('adopted', { exact: true })
      .waitFor()
    await page.getByRole('button', { name: 'Adopt them and deliver', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 record that you already had').waitFor()
    await dialog.getByRole('button', { name: 'Adopt them and deliver', exact: true }).click()
    await page.getByRole('heading', { name: 'Deliveries', exact: true }).waitFor()
    const record = () => org.retrieve(recordId)
    await expect.poll(async () => (await record())['Panji_Id__c'], { timeout: 60_000 }).toMatch(/^company:/)
    expect((await record())['LastName']).toBe('As we know them')
    expect(faults).toEqual([])
    await page.close()
  }, 240_000)
}
