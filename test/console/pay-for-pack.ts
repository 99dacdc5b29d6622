/** A pack of credits that the sample account pays at the processor's own page, until its invoice is there. */
import { expect, vi } from 'vitest'
import { type ConsoleInstance, operatorToken } from '../support/console-instance.ts'

export interface Issued {
  readonly number: string
  readonly kind: 'invoice' | 'credit_note'
  readonly user_id: string
  readonly date: string
}

type Place = Pick<ConsoleInstance, 'url' | 'apiKey' | 'browser'>

const patience = { timeout: 120_000 }

async function ask<T>({ url }: Place, path: string, bearer: string | undefined, body?: object): Promise<T> {
  const reply = await fetch(`${url}${path}`, {
    headers: { ...(bearer && { Authorization: `Bearer ${bearer}` }), 'Content-Type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  return (await reply.json()) as T
}

export const issuedTo = async (place: Place, buyerName: string): Promise<readonly Issued[]> => {
  const found = `/admin/invoices?search=${encodeURIComponent(buyerName)}`
  return (await ask<{ data: readonly Issued[] }>(place, found, operatorToken)).data
}

/** @param buyerName of nobody else's document. @returns the id of the purchase. */
export async function payForPack(place: Place, buyerName: string): Promise<string> {
  const { token } = await ask<{ token: { access_token: string } }>(place, '/api/auth/login', undefined, {
    api_key: place.apiKey,
  })
  const billing = { legal_name: buyerName, address: '1 MG Road, Pune 411001', place_of_supply: '27' }
  const bought = await ask<{ purchase_id: string; payment: { page_url: string } }>(
    ...([place, '/api/credits/purchase', token.access_token] as const),
    { pack_id: 'credits-100', billing },
  )
  const processor = await place.browser.newPage()
  await processor.goto(bought.payment.page_url)
  await processor.getByRole('button', { name: 'Pay', exact: true }).click()
  await processor.getByText(/captured/).waitFor()
  await processor.close()
  await vi.waitFor(async () => expect(await issuedTo(place, buyerName)).toHaveLength(1), patience)
  return bought.purchase_id
}
