/** Invoices and credit notes as the rules ask for them, from the purchase to long after it. */
import { beforeAll, expect, test } from 'vitest'
import { type LoggedIn, newCustomer, type TestApi, useApi } from '../../support/api.ts'
import { fillRegisters, orderBody } from '../../support/api-world.ts'
import { useTestDatabase } from '../../support/database.ts'
import { usePaymentWorld } from '../../support/payment-world.ts'

const database = useTestDatabase()
const api: TestApi = useApi(database)
const world = usePaymentWorld(database)
beforeAll(() => fillRegisters(database.db))

const documentsOf = async (customer: LoggedIn) => (await world.call('GET', '/api/invoices', customer)).json().data

test('an order that was cancelled before its payment came is invoiced as the credits that it became', async () => {
  const customer = await newCustomer(api, database)
  const order = { ...orderBody, paymentOption: 'online' }
  const { _id: id } = (await world.call('POST', '/api/orders/normal', customer, order)).json()
  const { payment } = (await world.call('GET', `/api/orders/${id}`, customer)).json()
  await world.call('POST', `/api/orders/${id}/cancel`, customer)
  await world.box.pay(payment.id)
  const { credit_balance: credits } = (await world.call('GET', '/api/users/me', customer)).json()
  expect(credits).toBeGreaterThan(0)
  expect(await documentsOf(customer)).toMatchObject([
    { description: `${credits} credits for records of the Indian registers` },
  ])
})

test('central and state tax are the same to the paisa in every credit note of an invoice, and add up to those of it', async () => {
  const customer = await newCustomer(api, database)
  const { payment } = (await world.call('POST', '/api/credits/purchase', customer, { pack_id: 'credits-100' })).json()
  const paid = await world.box.pay(payment.id)
  const parts = [10_007, 333, 100, 57_001, 12_345]
  for (const part of parts) await world.refund(paid?.id ?? '', part)
  await world.refund(paid?.id ?? '', 118_000 - parts.reduce((sum, part) => sum + part, 0))
  const documents: { kind: string; net: number; cgst: number; sgst: number }[] = await documentsOf(customer)
  const notes = documents.filter(({ kind }) => kind === 'credit_note')
  expect(notes).toHaveLength(parts.length + 1)
  for (const { cgst, sgst } of notes) expect(cgst).toBe(sgst)
  const sumOf = (name: 'net' | 'cgst' | 'sgst') => notes.reduce((sum, note) => sum + note[name], 0)
  expect([sumOf('net'), sumOf('cgst'), sumOf('sgst')]).toEqual([100_000, 9_000, 9_000])
  expect(await world.violations()).toEqual([])
})
