import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { orderMoves, orderStates, paymentMoves, paymentStates, statesBefore } from '../../../src/orders/states.ts'

const tables = readFileSync(new URL('../../../migrations/0007_orders.sql', import.meta.url), 'utf8')
const checked = (column: 'status' | 'payment_status') => {
  const list = new RegExp(`CHECK \\(${column} IN \\(([^)]*)\\)`).exec(tables)?.[1] ?? ''
  return [...list.matchAll(/'([a-z]+)'/g)].map((match) => match[1])
}

test('the database knows the same states as the code', () => {
  expect(checked('status')).toEqual([...orderStates])
  expect(checked('payment_status')).toEqual([...paymentStates])
})

test('an ended order moves nowhere, and only a pending one can be cancelled', () => {
  for (const ended of ['completed', 'cancelled', 'failed'] as const) expect(orderMoves[ended]).toEqual([])
  expect(statesBefore(orderMoves, 'cancelled')).toEqual(['pending'])
  expect(statesBefore(paymentMoves, 'cancelled')).toEqual(['pending'])
  expect(statesBefore(paymentMoves, 'refunded')).toEqual(['paid'])
})

test('no state leads to itself', () => {
  for (const state of orderStates) expect(orderMoves[state]).not.toContain(state)
  for (const state of paymentStates) expect(paymentMoves[state]).not.toContain(state)
})
