/** A lead that the CRM may hold already waits on its buyer's Home; the buyer looks at what would change, and takes the record over. */
import { expect, test } from 'vitest'
import { violations } from '../../support/browser.ts'
import { type ConsoleInstance, signedIn } from '../../support/console-instance.ts'
import { orderSome } from '../order-some.ts'
import { sandboxOf } from '../seen-in-sandbox.ts'

interface Lead {
  readonly Company: string
  readonly City: string
}

export function describeMatching(instance: () => ConsoleInstance): void {
  test('a lead that the CRM may hold already waits on Home, is decided by three clicks, and goes into the record that was there', async () => {
    const { url, apiKey, printed } = instance()
    const ask = async <T>(path: string, method = 'GET', body?: object, authorization = ''): Promise<T> => {
      const headers = { 'Content-Type': 'application/json', ...(authorization && { Authorization: authorization }) }
      const reply = await fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
      return (await reply.text().then((text) => (text === '' ? {} : JSON.parse(text)))) as T
    }
    const login = await ask<{ token: { access_token: string } }>(`${url}/api/auth/login`, 'POST', { api_key: apiKey })
    const bearer = `Bearer ${login.token.access_token}`
    const { data: crms } = await ask<{ data: { destination_id: string; type: string }[] }>(
      ...([`${url}/api/crm/destinations`, 'GET', undefined, bearer] as const),
    )
    const id = crms.find(({ type }) => type === 'salesforce')?.destination_id ?? ''
    const deliver = (when: string) => ask(`${url}/api/crm/destinations/${id}`, 'PATCH', { deliver: when }, bearer)
    await deliver('manual')
    const order = await orderSome(instance(), 'Kerala')
    const leads = async () =>
      (await ask<{ leads: Lead[] }>(`${url}/api/crm/orders/${order}/leads`, 'GET', undefined, bearer)).leads
    await expect.poll(async () => (await leads()).length, { timeout: 30_000 }).toBeGreaterThan(0)
    const [lead] = await leads()

    // Somebody of the customer's had met them before.
    const control = /http\S+(?=\/control)/.exec(printed)?.[0] ?? ''
    const [, word = ''] = /Sandbox token\s+(\S+)/.exec(printed) ?? []
    const org = await ask<Record<string, string>>(
      ...([`${control}/control/settings?crm=salesforce`, 'GET', undefined, `Bearer ${word}`] as const),
    )
    const session = await fetch(`${org['login_url']}/services/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: String(org['client_id']),
        client_secret: String(org['client_secret']),
      }),
    })
    const { access_token: orgToken } = (await session.json()) as { access_token: string }
    const held = { LastName: 'As we know them', Company: lead?.Company, City: lead?.City }
    const { id: recordId } = await ask<{ id: string }>(
      ...([`${org['login_url']}/services/data/v66.0/sobjects/Lead`, 'POST', held, `Bearer ${orgToken}`] as const),
    )
    await deliver('automatic')
    await ask(`${url}/api/crm/orders/${order}/push`, 'POST', { destination_id: id }, bearer)

    const undecided = async () => {
      const summary = await ask<{ data: { destination_id: string; undecided: number }[] }>(
        ...([`${url}/api/crm/delivery-summary`, 'GET', undefined, bearer] as const),
      )
      return summary.data.find(({ destination_id }) => destination_id === id)?.undecided
    }
    await expect.poll(undecided, { timeout: 60_000, interval: 500 }).toBe(1)

    const { page, faults } = await signedIn(instance(), '/app')
    const needs = page.getByRole('region', { name: 'Needs you' })
    await needs.getByText('holds records like 1 lead that waits for your decision').waitFor()
    await needs.getByRole('link', { name: 'Decide' }).click()
    const waits = page.locator('main tbody tr').filter({ hasText: recordId })
    await waits.getByText(/agrees in Company \(45\), City \(15\): 60 of 100/).waitFor()
    expect(await violations(page)).toEqual([])
    await waits.getByRole('link', { name: 'Decide' }).click()
    await page.getByRole('region', { name: 'What would happen to each lead' }).getByText('taken over').waitFor()
    await page.getByRole('button', { name: 'Take them over and deliver' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 record that you had before').waitFor()
    await dialog.getByRole('button', { name: 'Take them over and deliver' }).click()
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor()
    const record = async () =>
      ask<Record<string, string>>(
        ...([
          `${sandboxOf(instance())}/salesforce/services/data/v66.0/sobjects/Lead/${recordId}`,
          'GET',
          undefined,
          `Bearer ${orgToken}`,
        ] as const),
      )
    await expect.poll(async () => (await record())['Panji_Id__c'], { timeout: 60_000 }).toMatch(/^company:/)
    expect((await record())['LastName']).toBe('As we know them')
    expect(faults).toEqual([])
    await page.close()
  }, 240_000)
}
