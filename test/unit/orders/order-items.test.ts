import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppError } from '../../../src/errors.ts'
import { orderItemsMax, type RequestedItem, readOrderItems } from '../../../src/orders/order-items.ts'

const item = (type: RequestedItem['type'], number: string): RequestedItem => ({ type, name: 'X', number })

test('identifiers come out in canonical spelling, in the order of the request', () => {
  const items = [
    item('gst', ' 27aaacr5055k1z7 '),
    item('company', 'u85100ga2022ptc015629'),
    item('company', 'aac3965'),
    item('director', '12345'),
  ]
  expect(readOrderItems(items).map(({ identifier }) => identifier)).toEqual([
    '27AAACR5055K1Z7',
    'U85100GA2022PTC015629',
    'AAC-3965',
    '00012345',
  ])
})

test('all malformed items are named, the first in the message', () => {
  const items = [item('director', '1'), item('gst', '27AABCU9603R1ZM'), item('director', 'x'), item('company', '1')]
  expect(() => readOrderItems(items)).toThrow(
    expect.objectContaining({
      code: 'UNPROCESSABLE',
      message: expect.stringMatching(/^items\[1\]\.number .*check digit should be N\. 2 more/),
      extra: expect.objectContaining({ index: 1, indexes: [1, 2, 3] }),
    }),
  )
})

test('an order holds one item to as many as are allowed, and neither none nor one more', () => {
  const items = Array.from({ length: orderItemsMax + 1 }, (_, index) => item('director', String(index + 1)))
  for (const count of [1, orderItemsMax]) expect(readOrderItems(items.slice(0, count))).toHaveLength(count)
  for (const count of [0, orderItemsMax + 1])
    expect(() => readOrderItems(items.slice(0, count))).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }))
})

test('two spellings of one record are a duplicate', () => {
  const items = [item('director', '00012345'), item('director', '12345')]
  expect(() => readOrderItems(items)).toThrow(
    expect.objectContaining({ code: 'UNPROCESSABLE', extra: { index: 1, indexes: [0, 1] } }),
  )
})

test('whatever the numbers are, items are read or refused with an AppError', () => {
  const anyItem = fc.record({
    type: fc.constantFrom('company' as const, 'director' as const, 'gst' as const),
    name: fc.string(),
    number: fc.oneof(fc.string(), fc.stringMatching(/^\d{1,8}$/)),
  })
  fc.assert(
    fc.property(fc.array(anyItem, { maxLength: 5 }), (items) => {
      try {
        expect(readOrderItems(items)).toHaveLength(items.length)
      } catch (error) {
        expect(error).toBeInstanceOf(AppError)
      }
    }),
  )
})
