/** The list of events: each is declared whole, and the document tells receivers of each what is posted. */
import { describe, expect, test } from 'vitest'
import { documentWebhooks } from '../../../src/api/document-webhooks.ts'
import { events, eventTypes } from '../../../src/notify/event-types.ts'
import { mailText } from '../../../src/notify/mails/mail-text.ts'

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

  test('has an e-mail that names what happened, and ends a type of the list where it ends one', () => {
    const { subject, text } = mailText(type, { ...declared.example, destination: 'Our org' })
    expect(`${subject} ${text}`).not.toMatch(/undefined|NaN|\[object/)
    expect([undefined, ...eventTypes]).toContain('ends' in declared ? declared.ends : undefined)
  })
})
