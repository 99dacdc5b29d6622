import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compare, type FieldRule, ownerships } from '../../../../connectors/hubspot/ownership.ts'

const names = ['a', 'b', 'c', 'd']
const text: fc.Arbitrary<string> = fc.constantFrom('', 'x', 'X', 'y', '1', '1.0')
const values = fc.dictionary(fc.constantFrom(...names), text)
const rule = fc.record({
  type: fc.constantFrom('string', 'number'),
  ownership: fc.constantFrom(...ownerships),
  caseless: fc.boolean(),
})
const rules = fc.tuple(rule, rule, rule, rule)
const world = fc.record({
  desired: values.map((record) => new Map(Object.entries(record))),
  current: fc.option(values),
  lastPushed: fc.option(values),
  rules: rules.map((list) => (name: string) => list[names.indexOf(name)] as FieldRule),
})
const filled = (record: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== ''))

describe('ownership of fields', () => {
  test('what was written once is not written again', () => {
    fc.assert(
      fc.property(world, (given) => {
        const first = compare(given.desired, given.current, given.lastPushed, given.rules)
        const after = filled({ ...given.current, ...Object.fromEntries(first.writes) })
        expect(compare(given.desired, after, first.values, given.rules).writes.size).toBe(0)
      }),
    )
  })

  test('an edit under `if_unchanged` survives any number of newer values, an `always` value never does', () => {
    fc.assert(
      fc.property(world, fc.array(values), (given, later) => {
        let record: Readonly<Record<string, unknown>> = given.current ?? {}
        let lastPushed: Readonly<Record<string, unknown>> | null = given.lastPushed
        for (const desired of [given.desired, ...later.map((each) => new Map(Object.entries(each)))]) {
          const { writes, values: kept } = compare(desired, record, lastPushed, given.rules)
          for (const [name, value] of desired) {
            const { ownership } = given.rules(name)
            const present = String(record[name] ?? '')
            const edited = present !== '' && lastPushed?.[name] === undefined && present !== value
            if (
              ownership === 'always' &&
              present.toLowerCase() !== value.toLowerCase() &&
              Number(present) !== Number(value)
            )
              expect(writes.get(name)).toBe(value)
            if (ownership !== 'always' && edited) expect(writes.has(name)).toBe(false)
          }
          record = filled({ ...record, ...Object.fromEntries(writes) })
          lastPushed = kept
        }
      }),
    )
  })

  test('a number that HubSpot writes differently is neither a change nor an edit', () => {
    const numeric = (): FieldRule => ({ type: 'number', ownership: 'if_unchanged', caseless: false })
    const same = compare(new Map([['n', '1000']]), { n: '1000.0' }, { n: '1000' }, numeric)
    expect(same.writes.size).toBe(0)
    const newer = compare(new Map([['n', '2000']]), { n: '1000.0' }, { n: '1000' }, numeric)
    expect(newer.writes.get('n')).toBe('2000')
  })

  test('a value that a rep deleted stays deleted under `if_unchanged`', () => {
    const { writes, held } = compare(new Map([['s', 'new']]), {}, { s: 'old' }, () => ({
      type: 'string',
      ownership: 'if_unchanged',
      caseless: false,
    }))
    expect(writes.size).toBe(0)
    expect(held).toEqual(['s'])
  })
})
