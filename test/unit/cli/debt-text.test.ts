/** Whoever types an amount in rupees reads rupees back; only documents for programs are in paise. */
import { expect, test } from 'vitest'
import { debtTable, settledText } from '../../../src/cli/debt-text.ts'

test('debts and what was settled of them are read in rupees', () => {
  const debt = { user_id: 'a', email: 'asha@example.in', owed: 12_000_050, since: '2026-12-01' }
  expect(debtTable([debt])).toContain('₹1,20,000.50')
  expect(settledText({ user_id: 'a', settled: 500, owed: 0 })).toMatch(/settled: +₹5\.00\nowed: +₹0\.00/)
})
