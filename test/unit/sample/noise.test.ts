import { beforeAll, describe, expect, test } from 'vitest'
import { noiseRates, type SampleSource } from '../../../sample/noise.ts'
import { parseCompanyId } from '../../../src/domain/company-id.ts'
import { parseGstin } from '../../../src/domain/gstin.ts'
import { fileOf, type ReadFile, sample, value } from './read-snapshot.ts'

/** Many times the measured rates, so that the rare kinds occur in a sample of this size. */
const scale = 8
const sizes = { companies: 6_000, gst: 6_000, directors: 6_000 }

describe('the injected noise', () => {
  let files: ReadonlyMap<SampleSource, ReadFile>
  beforeAll(async () => {
    files = await sample({ ...sizes, noise: scale })
  }, 60_000)
  const count = (source: SampleSource, column: string, found: (cell: string) => boolean) =>
    fileOf(files, source).records.filter((record) => found(value(record, column))).length
  const injected = (source: SampleSource, kind: string) => fileOf(files, source).injected[kind]
  const duplicates = (source: SampleSource) => {
    const lines = fileOf(files, source).text.trimEnd().split('\n')
    return lines.length - new Set(lines).size
  }

  test('is counted under every declared kind, and every kind occurs', () => {
    for (const [source, rates] of Object.entries(noiseRates)) {
      const counts = fileOf(files, source as SampleSource).injected
      expect(Object.keys(counts)).toEqual(Object.keys(rates))
      expect(Object.entries(counts).filter(([, times]) => times === 0)).toEqual([])
    }
  })

  test.each(Object.keys(noiseRates) as SampleSource[])('of %s holds as many repeated rows as it says', (source) => {
    expect(duplicates(source)).toBe(injected(source, 'duplicate_row'))
  })

  test('of company ids is found again: letters O for zeros, and nothing else is malformed', () => {
    const malformed = fileOf(files, 'mca-companies')
      .records.map((record) => value(record, 'CIN'))
      .filter((id) => !parseCompanyId(id))
    expect(malformed).toHaveLength(injected('mca-companies', 'malformed_cin') ?? -1)
    for (const id of malformed) expect(id).toMatch(/^[LU]\d{5}[A-Z]{2}\d{4}[A-Z]{3}O+\d*$/)
  })

  test('of company addresses, names and amounts is found again', () => {
    const { records, text } = fileOf(files, 'mca-companies')
    const unique = [...new Map(records.map((record) => [JSON.stringify(record), record])).values()]
    const among = (found: (record: Readonly<Record<string, string>>) => boolean) => unique.filter(found).length
    const address = (record: Readonly<Record<string, string>>) => value(record, 'Registered_Office_Address')
    const says = (kind: string) => injected('mca-companies', kind)

    expect(among((record) => address(record).endsWith(',000000-India'))).toBe(says('pin_zero'))
    expect(among((record) => address(record).endsWith(',NA-India'))).toBe(says('pin_na'))
    expect(among((record) => address(record).includes('   '))).toBe(says('runs_of_spaces'))
    expect(among((record) => address(record).includes('"'))).toBe(says('quote_inside'))
    expect(among((record) => address(record).includes('\uFFFDx80x99'))).toBe(says('mojibake'))
    expect(among((record) => address(record).startsWith(' '))).toBe(says('edge_space'))
    expect(among((record) => /,NA,/.test(address(record)))).toBe(says('na_segment'))
    expect(among((record) => value(record, 'PaidupCapital') === '0.00')).toBe(says('zero_capital'))
    const broken = (name: string) =>
      !name.includes('PRIVATE LIMITED') && name.replaceAll(' ', '').includes('PRIVATELIMITED')
    expect(among((record) => broken(value(record, 'CompanyName')))).toBe(says('name_broken_at_40'))
    expect(among((record) => Number(value(record, 'PaidupCapital')) > Number(value(record, 'AuthorizedCapital')))).toBe(
      says('paid_up_above_authorised'),
    )
    expect(text).toContain('A WING')
  })

  test('of GST numbers is found again: wrong check digits, and nothing else is refused', () => {
    const faults = fileOf(files, 'gst-taxpayers')
      .records.map((record) => parseGstin(value(record, 'gstin')))
      .filter((reading) => !reading.ok)
    expect(faults).toHaveLength(injected('gst-taxpayers', 'wrong_check_digit') ?? -1)
    expect(faults.filter((reading) => reading.fault !== 'check_digit')).toEqual([])
    expect(count('gst-taxpayers', 'pncd', (pin) => pin.startsWith(' '))).toBeGreaterThan(0)
  })

  test('of DINs is found again: numbers that lost their leading zeros', () => {
    const short = new Set(
      fileOf(files, 'mca-directors')
        .records.map((record) => value(record, 'din'))
        .filter((din) => din.length < 8),
    )
    expect(short.size).toBe(injected('mca-directors', 'lost_leading_zeros'))
  })
})

test('noise at its plain rate is rare: of five thousand rows fewer than fifteen are refusable', async () => {
  const files = await sample({ companies: 5_000 })
  const { malformed_cin = Number.NaN, duplicate_row = Number.NaN } = fileOf(files, 'mca-companies').injected
  expect(malformed_cin + duplicate_row).toBeLessThan(15)
})
