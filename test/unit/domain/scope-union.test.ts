import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Scope } from '../../../src/domain/scope.ts'
import { covers, hullOf, mayOverlap, simplestUnion } from '../../../src/domain/scope-union.ts'

const everything: Scope = { states: null, districts: null, pincodes: null, from: null, to: null }
const scope = (part: Partial<Scope>): Scope => ({ ...everything, ...part })

describe('a union', () => {
  test('of nothing is nothing', () => {
    expect(simplestUnion([])).toEqual([])
  })

  test('with everything is everything', () => {
    expect(simplestUnion([scope({ states: ['Goa'] }), everything])).toEqual([everything])
  })

  test('of states with one window is one scope', () => {
    const window = { from: '2024-01-01', to: '2024-12-31' }
    expect(
      simplestUnion([scope({ states: ['Goa', 'Punjab'], ...window }), scope({ states: ['Kerala', 'goa'], ...window })]),
    ).toEqual([scope({ states: ['Goa', 'Punjab', 'Kerala'], ...window })])
  })

  test('of windows that overlap or touch is one scope, and of windows with a gap two', () => {
    const spring = scope({ from: '2024-01-01', to: '2024-03-31' })
    const summer = scope({ from: '2024-04-01', to: '2024-06-30' })
    const winter = scope({ from: '2024-12-01', to: '2024-12-31' })
    expect(simplestUnion([summer, spring])).toEqual([scope({ from: '2024-01-01', to: '2024-06-30' })])
    expect(simplestUnion([spring, winter])).toEqual([spring, winter])
  })

  test('of a state and a district elsewhere is not the whole country', () => {
    const state = scope({ states: ['Goa'] })
    const district = scope({ states: ['Kerala'], districts: ['Ernakulam'] })
    expect(simplestUnion([district, state])).toEqual([district, state])
  })

  test('is joined further where a join makes another possible', () => {
    const parts = [
      scope({ states: ['Goa'], to: '2024-03-31' }),
      scope({ states: ['Goa', 'Kerala'], from: '2024-04-01' }),
      scope({ states: ['Kerala'], to: '2024-03-31' }),
    ]
    expect(simplestUnion(parts)).toEqual([scope({ states: ['Goa', 'Kerala'] })])
  })
})

describe('over all scopes of a small world', () => {
  const places = { states: ['Goa', 'Kerala'], districts: ['North Goa', 'Ernakulam'], pincodes: ['403001', '682001'] }
  const days = ['2024-01-01', '2024-01-02', '2024-01-03', '2024-01-04']
  const list = (names: string[]) => fc.option(fc.subarray(names, { minLength: 1 }))
  const anyScope = fc
    .record({
      states: list(places.states),
      districts: list(places.districts),
      pincodes: list(places.pincodes),
      bounds: fc.tuple(fc.option(fc.constantFrom(...days)), fc.option(fc.constantFrom(...days))),
    })
    .map(({ bounds: [a, b], ...lists }) => {
      const [from, to] = a !== null && b !== null && a > b ? [b, a] : [a, b]
      return { ...lists, from, to }
    })
  const or = (names: string[]) => [...names, null]
  const rows = or(places.states).flatMap((state) =>
    or(places.districts).flatMap((district) =>
      or(places.pincodes).flatMap((pincode) => days.map((day) => ({ state, district, pincode, day }))),
    ),
  )
  type Row = (typeof rows)[number]
  const isListed = (names: readonly string[] | null, name: string | null) =>
    names === null || (name !== null && names.includes(name))
  const holds = (each: Scope, { state, district, pincode, day }: Row) =>
    isListed(each.states, state) &&
    isListed(each.districts, district) &&
    isListed(each.pincodes, pincode) &&
    (each.from === null || day >= each.from) &&
    (each.to === null || day <= each.to)

  test('the simplest union holds the same records with no more members, in whatever order they come', () => {
    fc.assert(
      fc.property(fc.array(anyScope, { maxLength: 6 }), (scopes) => {
        const simplest = simplestUnion(scopes)
        expect(simplest.length).toBeLessThanOrEqual(scopes.length)
        const inUnion = (union: readonly Scope[]) => rows.map((row) => union.some((each) => holds(each, row)))
        expect(inUnion(simplest)).toEqual(inUnion(scopes))
        expect(inUnion(simplestUnion([...scopes].reverse()))).toEqual(inUnion(scopes))
      }),
    )
  })

  test('the hull holds every record of every member', () => {
    fc.assert(
      fc.property(fc.array(anyScope, { minLength: 1, maxLength: 6 }), (scopes) => {
        const hull = hullOf(scopes)
        for (const each of scopes) expect(covers(hull, each)).toBe(true)
        expect(rows.filter((row) => scopes.some((each) => holds(each, row)) && !holds(hull, row))).toEqual([])
      }),
    )
  })

  test('a scope that covers another holds its records, and two that hold one record may overlap', () => {
    fc.assert(
      fc.property(anyScope, anyScope, (a, b) => {
        if (covers(a, b)) expect(rows.filter((row) => holds(b, row) && !holds(a, row))).toEqual([])
        if (!mayOverlap(a, b)) expect(rows.filter((row) => holds(a, row) && holds(b, row))).toEqual([])
        expect(mayOverlap(a, b)).toBe(mayOverlap(b, a))
      }),
    )
  })
})
