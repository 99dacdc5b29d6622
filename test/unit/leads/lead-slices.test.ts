import { expect, test } from 'vitest'
import { AppError } from '../../../src/errors.ts'
import { leadSlices } from '../../../src/leads/lead-slices.ts'
import type { ShownLead } from '../../../src/leads/read-leads.ts'
import { ranTooLong } from '../../../src/registry/paging/bounded-read.ts'

const lead: ShownLead = { type: 'gst', identifier: '27AAACR5055K1Z7', row: {} }
const order = { orderId: '00000000-0000-4000-8000-000000000000', paymentStatus: 'paid', status: 'completed' }

/** Reads of one order: its slices, each ending as it is told. */
async function slicesOf(...ends: readonly (Error | { leads: readonly ShownLead[]; last: number | null })[]) {
  let reads = 0
  const read = async <T>(): Promise<T> => {
    const end = ends[reads++]
    if (end instanceof Error) throw end
    return end as T
  }
  const building = { leadSource: 'Panji', refund: async () => undefined }
  const found: ShownLead[] = []
  for await (const slice of leadSlices([order], {
    read,
    building,
    settle: async () => {},
    limit: () => 1,
    parts: 'rows',
  }))
    found.push(...slice)
  return { found, reads }
}

test('a slice that was stopped at its deadline is asked for again, and comes once', async () => {
  const first = { leads: [lead], last: 0 }
  const second = { leads: [lead], last: null }
  expect(await slicesOf(ranTooLong(5), first, ranTooLong(5), ranTooLong(5), second)).toEqual({
    found: [lead, lead],
    reads: 5,
  })
})

test('one that is stopped three times, or fails otherwise, ends the reading', async () => {
  const late = ranTooLong(5)
  await expect(slicesOf(late, late, late, { leads: [lead], last: null })).rejects.toBe(late)
  const other = new AppError('INTERNAL', 'away')
  await expect(slicesOf(other, { leads: [lead], last: null })).rejects.toBe(other)
})
