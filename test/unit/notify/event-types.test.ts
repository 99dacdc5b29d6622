/** The list of events: each has a complete declaration, a documented webhook and an e-mail. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { documentWebhooks } from '../../../src/api/document-webhooks.ts'
import { events, eventTypes } from '../../../src/notify/event-types.ts'
import { mailText } from '../../../src/notify/mails/mail-text.ts'

const appPages = Array.from(
  readFileSync(join(import.meta.dirname, '../../../web/src/app/pages.ts'), 'utf8').matchAll(/pageRoute\('([^']+)'/g),
  ([, path = '']) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
)

describe.each(eventTypes)('%s', (type) => {
  const declared = events[type]

  test('has an example that is what its schema asks for', () => {
    expect(type).toMatch(/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/)
    expect(declared.data.strict().parse(declared.example)).toEqual(declared.example)
  })

  test('is a webhook of the document, with that example', () => {
    expect(documentWebhooks()[type]).toMatchObject({
      post: {
        summary: `Sent when ${declared.when}`,
        requestBody: { content: { 'application/json': { example: { type, data: declared.example } } } },
      },
    })
  })

  test('has an e-mail with a link to a page of the app, and ends only a type of the list', () => {
    const { subject, text } = mailText(
      type,
      { ...declared.example, destination: 'Our org' },
      'https://panji.example.in',
    )
    const [, page = 'none'] = /^https:\/\/panji\.example\.in\/app(\/\S*)$/m.exec(text) ?? []
    expect(appPages.some((pattern) => pattern.test(new URL(page, 'https://app').pathname))).toBe(true)
    expect(`${subject} ${text}`).not.toMatch(/undefined|NaN|\[object/)
    expect([undefined, ...eventTypes]).toContain('ends' in declared ? declared.ends : undefined)
  })
})

test('one is written in the singular, and large numbers with Indian digit grouping', () => {
  const one = {
    count: 1,
    credits: 1,
    balance: 1,
    bought: 1,
    matches: 1,
    rejected: 1,
    destination: 'Our org',
    name: 'Goa',
    day: '2026-11-29',
  }
  const destinations = [{ name: 'Our org', updated: 1, rejected: 0, waiting: 0 }]
  const mails = eventTypes
    .map((type) => mailText(type, { ...one, destinations }))
    .map(({ subject, text }) => `${subject} ${text}`)
  for (const each of mails) expect(each).not.toMatch(/\b1 (leads|records|credits|rows|matches|are|were)\b/)
  expect(mailText('credits.low', { balance: 0, below: 20 }).subject).toBe('Your account has 0 credits left')
  expect(mailText('delivery.rejected', { count: 120_000, destination: 'Our org' }).subject).toBe(
    'Our org rejected 1,20,000 leads',
  )
})

test('an e-mail about an order names it as its buyer does, and a payment with its sum', () => {
  const order = { order_id: 'a3c1', order_name: 'Goa\nleads', order_records: 1, order_day: '2026-11-29' }
  const paid = mailText('order.paid', { ...order, credits: 1, paise: 12_000_000 })
  expect(paid.subject).toBe('Payment of ₹1,20,000.00 received')
  expect(paid.text).toContain('Your payment for your order "Goa leads" of 2026-11-29 (1 record) was received')
  expect(paid.text).toContain('Order ID: a3c1')
  const delivered = mailText('order.delivered', { ...order, destination: 'Our org' })
  expect(delivered.text).toContain(
    'Our org has responded to every lead of your order "Goa leads" of 2026-11-29 (1 record)',
  )
  // One that was queued before an upgrade has the id alone.
  expect(mailText('order.paid', { order_id: 'a3c1', credits: 1 }).text).toContain('order a3c1')
})
