import { describe, expect, test } from 'vitest'
import { type Grant, widestGrant } from '../../../src/access/widest-grant.ts'

const everything: Grant = { states: null, districts: null, pincodes: null, from: null, to: null, anchored: false }
const grant = (part: Partial<Grant>): Grant => ({ ...everything, ...part })

describe('grants of one kind', () => {
  test('no grants are no scope', () => {
    expect(widestGrant([])).toBeUndefined()
  })

  test('a nationwide grant covers a restricted one', () => {
    expect(widestGrant([grant({ states: ['Goa'] }), everything])).toEqual(everything)
  })

  test('states of two grants with one window are joined', () => {
    const window = { from: '2024-01-01', to: '2024-12-31' }
    expect(
      widestGrant([grant({ states: ['Goa', 'Punjab'], ...window }), grant({ states: ['Kerala', 'goa'], ...window })]),
    ).toEqual(grant({ states: ['Goa', 'Punjab', 'Kerala'], ...window }))
  })

  test('windows that overlap or touch are joined, and the earlier start decides whether it is anchored', () => {
    const spring = grant({ from: '2024-01-01', to: '2024-03-31', anchored: true })
    const summer = grant({ from: '2024-04-01', to: '2024-06-30' })
    expect(widestGrant([summer, spring])).toEqual(grant({ from: '2024-01-01', to: '2024-06-30', anchored: true }))
  })

  test('windows with a gap are not joined: the longer one counts', () => {
    const short = grant({ from: '2024-01-01', to: '2024-01-31' })
    const long = grant({ from: '2024-06-01', to: '2024-08-31' })
    expect(widestGrant([short, long])).toEqual(long)
  })

  test('a state and a district elsewhere are not joined into the whole country', () => {
    const state = grant({ states: ['Goa'] })
    const district = grant({ states: ['Kerala'], districts: ['Ernakulam'] })
    expect(widestGrant([district, state])).toEqual(state)
  })

  test('the same states over different windows count with the wider of both', () => {
    const old = grant({ states: ['Goa'], to: '2024-01-01' })
    const recent = grant({ states: ['Kerala'], from: '2024-06-01' })
    expect(widestGrant([old, recent])).toEqual(old)
    expect(widestGrant([old, recent, everything])).toEqual(everything)
  })

  test('a join may make another join possible', () => {
    const parts = [
      grant({ states: ['Goa'], to: '2024-03-31' }),
      grant({ states: ['Goa', 'Kerala'], from: '2024-04-01' }),
      grant({ states: ['Kerala'], to: '2024-03-31' }),
    ]
    expect(widestGrant(parts)).toEqual(grant({ states: ['Goa', 'Kerala'] }))
  })
})
