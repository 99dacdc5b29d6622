import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ownerships } from '../../../connectors/contract.ts'
import { decideFields, type FieldRule } from '../../../connectors/field-ownership.ts'

const names = ['a', 'b', 'c', 'd']
const text: fc.Arbitrary<string> = fc.constantFrom('', ' ', 'x', 'X', 'y', '1', '1.0', 'x\r\ny', 'x\ny')
const values = fc.dictionary(fc.constantFrom(...names), text)
const rule = fc.record({ ownership: fc.constantFrom(...ownerships), numeric: fc.boolean(), caseless: fc.boolean() })
const world = fc.record({
  target: values,
  present: fc.option(values),
  lastPushed: fc.option(values),
  ruleOf: fc.tuple(rule, rule, rule, rule).map((list) => (name: string) => list[names.indexOf(name)] as FieldRule),
})
const filled = (record: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== ''))
const unchanged = (): FieldRule => ({ ownership: 'if_unchanged' })
const trimmed = (value: unknown) => String(value ?? '').trim()

describe('ownership of fields', () => {
  test('what was written once is not written again, whether the CRM keeps empties or drops them', () => {
    fc.assert(
      fc.property(world, fc.boolean(), ({ target, present, lastPushed, ruleOf }, drops) => {
        const first = decideFields(target, present, lastPushed, ruleOf)
        const after = { ...present, ...first.write }
        const second = decideFields(target, drops ? filled(after) : after, first.values, ruleOf)
        expect(second.write).toEqual({})
        expect(second.values).toEqual(first.values)
      }),
    )
  })

  test('an edit is written over in fields that are always ours, and nowhere else, through any number of newer values', () => {
    fc.assert(
      fc.property(world, fc.array(values), ({ target, present, lastPushed, ruleOf }, later) => {
        let record: Readonly<Record<string, unknown>> = present ?? {}
        let pushed: Readonly<Record<string, unknown>> | null = lastPushed
        for (const wanted of [target, ...later]) {
          const { write, values: kept } = decideFields(wanted, record, pushed, ruleOf)
          for (const [name, value] of Object.entries(write)) {
            expect(value).toBe(wanted[name])
            const { ownership } = ruleOf(name)
            if (ownership === 'if_empty') expect(trimmed(record[name])).toBe('')
            if (ownership === 'if_unchanged' && trimmed(record[name]) !== '')
              expect(trimmed(pushed?.[name])).not.toBe('')
          }
          for (const [name, value] of Object.entries(wanted))
            if (ruleOf(name).ownership === 'always' && trimmed(value) !== trimmed(record[name]) && !(name in write))
              expect(decideFields({ [name]: value }, { [name]: record[name] }, null, ruleOf).write).toEqual({})
          record = filled({ ...record, ...write })
          pushed = kept
        }
      }),
    )
  })

  test('a number that the CRM writes differently is neither a change nor an edit', () => {
    const numeric = (): FieldRule => ({ ownership: 'if_unchanged', numeric: true })
    expect(decideFields({ n: '1000' }, { n: '1000.0' }, { n: '1000' }, numeric).write).toEqual({})
    expect(decideFields({ n: '2000' }, { n: '1000.0' }, { n: '1000' }, numeric).write).toEqual({ n: '2000' })
    expect(decideFields({ n: 1000 }, { n: '1000' }, null, unchanged).write).toEqual({})
  })

  test('line ends and white space around a value are no edit', () => {
    expect(decideFields({ s: 'c' }, { s: ' a\r\nb ' }, { s: 'a\nb' }, unchanged).write).toEqual({ s: 'c' })
    expect(decideFields({ s: 'a' }, { s: '  ' }, null, unchanged).write).toEqual({ s: 'a' })
  })

  test('a field that somebody cleared stays clear, and its newer value is named as held', () => {
    expect(decideFields({ s: 'new' }, { s: null }, { s: 'old' }, unchanged)).toEqual({
      write: {},
      held: ['s'],
      values: { s: 'old' },
    })
  })

  test('an empty value takes out what was pushed, under any rule but the one that fills once, and nothing that was not', () => {
    const emptied = (ownership: FieldRule['ownership'], current: string, before: string | null) =>
      decideFields({ a: '' }, { a: current }, before === null ? null : { a: before }, () => ({ ownership })).write
    expect(emptied('if_unchanged', 'ours', 'ours')).toEqual({ a: '' })
    expect(emptied('if_unchanged', 'edited', 'ours')).toEqual({})
    expect(emptied('always', 'edited', 'ours')).toEqual({ a: '' })
    expect(emptied('if_empty', 'ours', 'ours')).toEqual({})
    for (const ownership of ['always', 'if_unchanged', 'if_empty'] as const)
      expect(emptied(ownership, 'theirs', null)).toEqual({})
    expect(decideFields({ a: '' }, null, null, unchanged).write).toEqual({})
    const sent = decideFields({ a: '' }, { a: 'sent' }, null, unchanged, [{ a: 'sent' }])
    expect(sent.write).toEqual({ a: '' })
  })

  test('a field that is filled once does not wait for anything', () => {
    const once = (): FieldRule => ({ ownership: 'if_empty' })
    expect(decideFields({ s: 'new' }, { s: 'theirs' }, { s: 'old' }, once)).toMatchObject({ write: {}, held: [] })
  })
})
