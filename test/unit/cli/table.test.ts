import { expect, test } from 'vitest'
import { fields, table } from '../../../src/cli/output.ts'

const rows = [
  [1, 'mca-companies', 'a note that is much longer than any terminal has room for'],
  [2, 'gst-taxpayers', 'short'],
]

test('a table that is wider than the terminal is cut in its widest column, and says so', () => {
  const lines = table(['run', 'source', 'note'], rows, 40).split('\n')
  expect(lines).toEqual([
    'run  source         note',
    '1    mca-companies  a note that is much…',
    '2    gst-taxpayers  short',
  ])
})

test('columns of one width give way together, and none below eight characters', () => {
  const wide = [['x'.repeat(30), 'y'.repeat(30)]]
  expect(table(['a', 'b'], wide, 32)).toBe(`a${' '.repeat(16)}b\n${'x'.repeat(14)}…  ${'y'.repeat(14)}…`)
  expect(table(['a', 'b'], wide, 3).split('\n')[1]).toBe('xxxxxxx…  yyyyyyy…')
})

test('where there is no terminal nothing is cut', () => {
  expect(table(['note'], [['z'.repeat(500)]], Number.POSITIVE_INFINITY)).toContain('z'.repeat(500))
})

test('what a member holds itself stands below its name, like things as a table, others one after another', () => {
  const told = fields({
    enabled: true,
    territory: { states: ['Goa', 'Kerala'], districts: null },
    plans: [
      { plan: 'a year', expires_at: null },
      { plan: 'a month', expires_at: '2027-04-01' },
    ],
    grants: [{ plan: 'a year', window: { from: '2026-01-01' } }, { plan: 'a month' }],
    ended_grants: [],
    settings: {},
  })
  expect(told.split('\n')).toEqual([
    'enabled:      true',
    'territory:',
    '  states:    Goa, Kerala',
    '  districts: -',
    'plans:',
    '  plan     expires_at',
    '  a year   -',
    '  a month  2027-04-01',
    'grants:',
    '  - plan: a year',
    '    window:',
    '      from: 2026-01-01',
    '  - plan: a month',
    'ended_grants: -',
    'settings:     {}',
  ])
})

test('a line break within forges no line', () => {
  const told = fields({ list: ['a\nforged: yes'], within: { 'b\nforged': 'c\nforged: yes' } })
  expect(told.split('\n')).toHaveLength(3)
})

test('an instant is shown in Indian time, wherever it stands, and a day as it is', () => {
  const at = '2026-11-24T20:40:10.374Z'
  const shown = '2026-11-25 02:10:10 IST'
  expect(
    table(['at'], [[new Date(at)], [at]])
      .split('\n')
      .slice(1),
  ).toEqual([shown, shown])
  expect(fields({ at, keys: [{ made: at, on: '2026-11-24' }], list: [at] }).split('\n')).toEqual([
    `at:   ${shown}`,
    'keys:',
    '  made                     on',
    `  ${shown}  2026-11-24`,
    `list: ${shown}`,
  ])
  expect(fields({ note: `made ${at}`, at: '2026-11-24T20:40' })).toBe(`note: made ${at}\nat:   2026-11-24T20:40`)
})
