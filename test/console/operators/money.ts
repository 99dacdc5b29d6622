/**
 * Money that an operator gives back: of a payment through its processor, of an order item by item, by a report, and all at once. A
 * lead that a CRM refused is asked for again first.
 */
import { expect, test } from 'vitest'
import { openPaymentEvent } from '../../support/api-world.ts'
import { type OperatorDesk, patience } from '../../support/operator-desk.ts'
import { goTo } from '../../support/page-links.ts'
import { buyerToken, type Listed } from './buyer.ts'

/** As long as nothing of its order went back. */
async function askAgainForRefused({ page, db, press, closed, call, told }: OperatorDesk): Promise<void> {
  const [refused] = await db.query<{ id: string; record: string }>(
    `UPDATE deliver.delivery SET state = 'rejected', outcome = NULL, acknowledged_at = NULL,
       last_error = '{"code": "REQUIRED", "field": "Email", "message": "Email is required"}'
     WHERE delivery_id = (SELECT delivery_id FROM deliver.delivery ORDER BY delivery_id LIMIT 1)
     RETURNING delivery_id AS id, external_id AS record`,
  )
  await db.execute(
    `UPDATE deliver.record r SET state = 'rejected' FROM deliver.delivery d
     WHERE d.delivery_id = $1 AND r.destination_id = d.destination_id AND r.external_id = d.external_id`,
    [refused?.id],
  )
  await page.goto('/console/deliveries?outcome=rejected')
  await page.getByRole('row').filter({ hasText: 'Email: Email is required' }).waitFor()
  const [waiting] = await db.query<{ id: string }>(
    `UPDATE deliver.delivery SET state = 'pending', outcome = NULL WHERE delivery_id =
       (SELECT delivery_id FROM deliver.delivery WHERE state = 'acknowledged' ORDER BY delivery_id LIMIT 1)
     RETURNING delivery_id AS id`,
  )
  await page.getByRole('button', { name: 'Retry rejected', exact: true }).click()
  await page.getByText('1 lead is rejected, and 1 pending one is tried at once, too.').waitFor()
  await page.keyboard.press('Escape')
  await db.execute(`UPDATE deliver.delivery SET state = 'acknowledged', outcome = 'created' WHERE delivery_id = $1`, [
    waiting?.id,
  ])
  await press(page, 'Try again')
  await page.getByText('No delivery matches these filters.').waitFor()
  expect(await told('retry deliveries')).toMatchObject({ subject: refused?.id, detail: { retried: 1 } })
  const outcome = async () => {
    const found = await call<Listed<{ delivery_id: string; outcome: string }>>(
      `/admin/deliveries?record=${refused?.record}`,
    )
    return found.data.find(({ delivery_id }) => delivery_id === refused?.id)?.outcome
  }
  await expect.poll(outcome, patience).toMatch(/created|updated|unchanged/)
  await press(page, 'Retry rejected')
  await closed('0 leads will be retried.')
  expect(await told('retry deliveries')).toMatchObject({ subject: 'all', detail: { retried: 0 } })
}

export function describeMoney(desk: () => OperatorDesk): void {
  test('a payment is refunded through the processor, and payments without a webhook are fetched from it', async () => {
    const { instance, page, db, press, closed, call, told } = desk()
    const buyer = await buyerToken(desk())
    const credits = async () =>
      (await call<{ credit_balance: number }>('/api/users/me', undefined, buyer)).credit_balance
    const before = await credits()
    const bought = await call<{ payment: { page_url: string } }>(
      '/api/credits/purchase',
      {
        pack_id: 'credits-100',
        billing: { legal_name: 'Mandovi Trading LLP', address: '12 Altinho, Panaji 403001', place_of_supply: '30' },
      },
      buyer,
    )
    const processor = await instance.browser.newPage()
    await processor.goto(bought.payment.page_url)
    await processor.getByRole('button', { name: 'Pay', exact: true }).click()
    await processor.getByText(/captured/).waitFor()
    await processor.close()
    await expect.poll(credits, patience).toBe(before + 100)

    await page.goto('/console/payments')
    await page.getByRole('button', { name: 'Refund', exact: true }).first().click()
    await page.getByRole('dialog').getByLabel('Rupees (optional)', { exact: true }).waitFor()
    // Credits are no rows of an order.
    expect(await page.getByRole('dialog').getByLabel('Rows (optional)', { exact: true }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await press(page, 'Refund', {
      'Rupees (optional)': '590',
      Reference: 'letter 12',
      Reason: 'asked for by the buyer',
    })
    await closed('₹590')
    await expect.poll(credits, patience).toBe(before + 50)
    // Whoever gives more of it back sees what is left.
    await page.getByRole('button', { name: 'Refund', exact: true }).first().click()
    await page.getByRole('dialog').getByText('₹590.00 of ₹1,180.00 was refunded before; ₹590.00 is left.').waitFor()
    await page.keyboard.press('Escape')
    expect(await told('refund payment')).toMatchObject({ detail: { reason: 'asked for by the buyer' } })

    await openPaymentEvent(db)
    await page.goto('/console/payments?open=true')
    await press(page, 'Close', { 'What you did': 'given back by bank transfer' })
    await page.getByText('Nothing needs attention.').waitFor()
    expect(await told('close payment event')).toMatchObject({ detail: { note: 'given back by bank transfer' } })
    await press(page, 'Ask the processor')
    await closed('A worker asks it now.')
    expect(await told('reconcile payments')).toBeDefined()
  }, 240_000)

  test('a month is closed for good by who has seen its figures', async () => {
    const { page, press } = desk()
    await page.goto('/console/month')
    await page.getByLabel('Month', { exact: true }).selectOption({ index: 1 })
    await page.getByRole('button', { name: 'Close the month', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/^Sold for ₹0\.00 and ₹0\.00 GST\./).waitFor()
    await dialog.getByText('Total: ₹0.00 debit and ₹0.00 credit; 0 and 0 credits.').waitFor()
    await page.keyboard.press('Escape')
    await press(page, 'Close the month', { Reason: 'filed' })
    await page.getByText('nothing more is booked in it').waitFor()
    expect(await page.getByRole('button', { name: 'Close the month', exact: true }).count()).toBe(0)
  }, 120_000)

  test('a lead that a CRM refused is asked for again; of its order one record is refunded, a report is refused and another accepted, and at last all goes back', async () => {
    const { page, press, closed, call, told } = desk()
    const buyer = await buyerToken(desk())
    await askAgainForRefused(desk())
    const orders = (await call<Listed<{ _id: string; orderName: string }>>('/admin/orders')).data
    const order = orders.find(({ orderName }) => orderName === 'Sample order')
    const id = order?._id ?? ''
    interface Item {
      readonly index: number
      readonly number: string
      readonly charged: boolean
      readonly refunded_at: string | null
      readonly dispute: string | null
    }
    const items = async () => (await call<{ items: readonly Item[] }>(`/admin/orders/${id}`)).items
    const charged = (await items()).filter((item) => item.charged && item.refunded_at === null)
    const [one = -1, bad = -1, worse = -1] = charged.map(({ index }) => index)

    await page.goto(`/console/orders/${id}`)
    await press(page, 'Refund', { Reason: 'nobody answers there' })
    await closed('1 credit refunded.')
    await goTo(page, 'Ledger')
    await page.getByRole('cell', { name: 'refund', exact: true }).first().waitFor()
    expect((await items())[one]?.refunded_at).not.toBeNull()
    for (const index of [bad, worse]) {
      await call(`/api/orders/${id}/items/${index}/dispute`, { reason: 'The number rings elsewhere.' }, buyer)
    }
    await page.goto('/console/reports')
    for (const [decision, item] of [
      ['reject', charged[1]],
      ['accept', charged[2]],
    ] as const) {
      const report = page.getByRole('row').filter({ hasText: item?.number ?? '' })
      await press(report, 'Decide', { Decision: decision, Reason: `${decision}ed by a call` })
      await report.waitFor({ state: 'detached' })
      expect(await told(`${decision} dispute`)).toBeDefined()
    }
    expect((await items())[bad]).toMatchObject({ dispute: 'rejected', refunded_at: null })
    expect((await items())[worse]).toMatchObject({ dispute: 'accepted', refunded_at: expect.any(String) })

    await page.goto(`/console/orders/${id}`)
    await page.getByRole('button', { name: 'Refund all', exact: true }).click()
    const left = charged.length - 2
    await page.getByText(`${left} credit${left === 1 ? '' : 's'} would be refunded to demo@example.com.`).waitFor()
    await page.keyboard.press('Escape')
    await press(page, 'Refund all', { Reason: 'the order was a mistake' })
    await closed(/credits? refunded\.$/)
    expect((await items()).filter((item) => item.charged && item.refunded_at === null)).toEqual([])
    await page.getByRole('button', { name: 'Refund all', exact: true }).waitFor({ state: 'detached' })
    // The button that the dialog hung on is gone; whoever goes by keyboard goes on from the page.
    await expect.poll(() => page.evaluate('document.activeElement.id'), patience).toBe('page')
    expect(await told('refund order')).toMatchObject({ subject: id })
    expect(await call(`/admin/ledger?search=${id}&limit=1`)).toMatchObject({
      data: [{ kind: 'refund', memo: 'the order was a mistake' }],
    })
  }, 240_000)
}
