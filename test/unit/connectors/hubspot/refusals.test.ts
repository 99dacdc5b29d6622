import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isConflict,
  missingProperties,
  missingScopes,
  quotaRefusal,
  refusalOf,
} from '../../../../connectors/hubspot/refusals.ts'
import { BatchReply, faultOf } from '../../../../connectors/hubspot/replies.ts'

describe("HubSpot's error bodies", () => {
  test('the JSON inside the message gives code, field and sentence', () => {
    const list = [{ isValid: false, message: 'Email address x is invalid', error: 'INVALID_EMAIL', name: 'email' }]
    const body = { category: 'VALIDATION_ERROR', message: `Property values were not valid: ${JSON.stringify(list)}` }
    expect(refusalOf(faultOf(body))).toEqual({
      code: 'INVALID_EMAIL',
      field: 'email',
      message: 'Email address x is invalid',
    })
  })

  test('the newer list of errors is read where the message is only a sentence', () => {
    const errors = [
      { message: '1e-7 was not a valid number.', code: 'INVALID_INTEGER', context: { propertyName: ['amount'] } },
    ]
    const refusal = refusalOf(faultOf({ category: 'VALIDATION_ERROR', message: 'Not valid', errors }))
    expect(refusal).toEqual({ code: 'INVALID_INTEGER', field: 'amount', message: '1e-7 was not a valid number.' })
  })

  test('of several values at fault, each is named, with the code and field of the first', () => {
    const list = [
      { message: 'Email address x is invalid', error: 'INVALID_EMAIL', name: 'email' },
      { message: 'y was not one of the allowed options', error: 'INVALID_OPTION', name: 'industry' },
    ]
    const message = 'Email address x is invalid; y was not one of the allowed options'
    const inMessage = { message: `Property values were not valid: ${JSON.stringify(list)}` }
    expect(refusalOf(faultOf(inMessage))).toEqual({ code: 'INVALID_EMAIL', field: 'email', message })
    const errors = list.map(({ error, name, message: words }) => ({ message: words, code: error, in: name }))
    expect(refusalOf(faultOf({ message: 'Not valid', errors }))).toEqual({
      ...{ code: 'INVALID_EMAIL', field: 'email', message },
    })
  })

  test('a refusal without any words still has a code and a sentence', () => {
    const refused = { code: 'REFUSED', field: null, message: 'HubSpot gave no reason' }
    expect(refusalOf(faultOf({ category: '', message: '' }))).toEqual(refused)
    expect(refusalOf(faultOf({ errors: [{ message: '' }], message: '[{"error": "", "message": ""}]' }))).toMatchObject({
      code: 'REFUSED',
      message: '[{"error": "", "message": ""}]',
    })
  })

  test('both spellings of a conflict are one', () => {
    expect(isConflict(faultOf({ category: 'CONFLICT' }), null)).toBe(true)
    expect(isConflict(faultOf({ category: 'OBJECT_ALREADY_EXISTS', error: 'CONTACT_EXISTS' }), null)).toBe(true)
    expect(isConflict(faultOf({}), 409)).toBe(true)
    expect(isConflict(faultOf({ category: 'VALIDATION_ERROR' }), 400)).toBe(false)
  })

  test('missing scopes are named in either shape', () => {
    const listed = {
      message: 'no',
      errors: [{ message: 'm', context: { requiredGranularScopes: ['a.read', 'a.write'] } }],
    }
    expect(missingScopes(faultOf(listed))).toBe('a.read, a.write')
    expect(missingScopes(faultOf({ context: { missingScopes: ['b'] } }))).toBe('b')
    expect(missingScopes(faultOf({ message: 'You may not' }))).toBe('You may not')
  })

  test('an unknown 429 waits ten seconds, and a daily one much longer', () => {
    expect(quotaRefusal(faultOf(undefined), undefined)).toEqual({ policy: 'TEN_SECONDLY_ROLLING', afterMs: 10_000 })
    expect(quotaRefusal(faultOf({ message: 'You have reached your daily limit.' }), undefined)).toMatchObject({
      policy: 'DAILY',
    })
    expect(quotaRefusal(faultOf({ policyName: 'SECONDLY' }), 'soon')).toMatchObject({ afterMs: 1_000 })
  })

  test.each(['999999999', '1e300', 'Infinity'])(
    'no Retry-After of %s shuts an account for more than an hour',
    (header) => {
      expect(quotaRefusal(faultOf(undefined), header).afterMs).toBe(3_600_000)
    },
  )

  test('whatever HubSpot sends is read without a fault of ours', () => {
    const oddities = fc.oneof(
      fc.jsonValue(),
      fc.record({
        message: fc.oneof(fc.string(), fc.json()),
        category: fc.jsonValue(),
        errors: fc.jsonValue(),
        context: fc.jsonValue(),
      }),
    )
    fc.assert(
      fc.property(oddities, (body) => {
        const fault = faultOf(body)
        const { code, message } = refusalOf(fault)
        expect(code.length + message.length).toBeGreaterThan(0)
        expect(missingProperties(fault)).toBeInstanceOf(Set)
        expect(typeof missingScopes(fault)).toBe('string')
        expect(quotaRefusal(fault, undefined).afterMs).toBeGreaterThan(0)
        BatchReply.safeParse(body)
      }),
    )
  })
})
