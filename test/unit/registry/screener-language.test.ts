/** Queries that are read: the tree that a text means, its canonical form, and the SQL that is emitted for it. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../../src/errors.ts'
import { type Field, screenerFields, screenerTypes } from '../../../src/registry/screener/fields.ts'
import { parseQuery } from '../../../src/registry/screener/parser.ts'
import { printQuery } from '../../../src/registry/screener/print.ts'
import { readQuery } from '../../../src/registry/screener/read.ts'
import { keywords } from '../../../src/registry/screener/tokens.ts'
import { anyTree, conditionOver, treesOf, withoutOffsets } from '../../support/screener-arbitrary.ts'

/** A value of a field that takes none but whole ones. */
function wholeValue({ kind, register, form, vocabulary }: Field): string | undefined {
  if (kind === 'identifier') return register === 'company' ? 'AAC-3965' : '27AAACR5055K1Z7'
  if (form !== undefined) return ['403001', '62'].find((code) => form.shape.test(code))
  return vocabulary === 'state' ? 'Goa' : undefined
}

describe('any text', () => {
  test('printing a tree and parsing it again gives the same tree', () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        expect(withoutOffsets(parseQuery(printQuery(tree)))).toEqual(tree)
      }),
      { numRuns: 500 },
    )
  })

  const fragments = fc.constantFrom(
    ...keywords,
    ...['City', 'city', 'paidUpCapital', 'hsncd', "'Goa'", "''", "'", '"x"', '12', '-1.5', '2024-01-01', '==', '='],
    ...['!=', '>', '(', ')', '[', ']', ',', '&&', 'and', ' ', '\n', '\0', '’', '😀', '1e9', '--', ';'],
  )
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.array(fragments, { maxLength: 30 }).map((parts) => parts.join(' ')),
    fc.array(fragments, { maxLength: 30 }).map((parts) => parts.join('')),
  )

  test('a text is either read or refused with a complete QUERY_SYNTAX', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(...screenerTypes), (query, type) => {
        try {
          expect(printQuery(readQuery(type, query).node)).not.toBe('')
        } catch (error) {
          expect(error).toBeInstanceOf(AppError)
          const { code, extra } = error as AppError
          expect(code).toBe('QUERY_SYNTAX')
          expect(extra).toEqual({
            position: expect.any(Number),
            line: expect.any(Number),
            column: expect.any(Number),
            found: expect.any(String),
            expected: expect.any(Array),
            suggestion: extra['suggestion'] === null ? null : expect.any(String),
          })
          expect(extra['position']).toBeLessThanOrEqual(query.length)
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('the canonical text of a read query is its own canonical text', () => {
    const literal = (value: string) => ({ kind: 'text', value, at: 0 }) as const
    const valued = conditionOver('gst', (field) => {
      if (field.kind === 'date') return fc.constant(literal('2024-02-29'))
      if (field.kind === 'flag') return fc.constant(literal('true'))
      return fc.constantFrom('403001', '600001').map((digits) => literal(wholeValue(field) ?? digits))
    })
    fc.assert(
      fc.property(treesOf(valued), (tree) => {
        const once = readQuery('gst', printQuery(tree)).canonical
        expect(readQuery('gst', once).canonical).toBe(once)
      }),
    )
  })
})

describe('emitted SQL', () => {
  const columns = [...screenerFields.company, ...screenerFields.gst].flatMap(({ column, presence }) => [
    column,
    presence ?? column,
  ])
  const fragments = [
    ...columns.sort((a, b) => b.length - a.length),
    ...[
      'EXISTS (SELECT FROM unnest(',
      'ARRAY(SELECT ',
      'CASE WHEN ',
      ' THEN ',
      ' ELSE ',
      ' END',
      "''",
      'ingest.word_key',
      '(SELECT ',
      ...['r.name', 'r.trade_name'],
      '(word) FROM unnest(',
      'word) FROM unnest(',
      'registry.name_key',
      ') AS word)',
      ') AS member WHERE ',
    ],
    ...['coalesce(', 'ingest.place_name(', ' IN (', 'NULL', ' || ARRAY(SELECT ', 'word'],
    ...[
      'registry.name_key(',
      'cardinality(',
      'starts_with(',
      'strpos(',
      "to_tsvector('simple', ",
      ' @@ ',
      '::tsquery',
      'lower(',
      'upper(',
      'right(',
      'length(',
      'member',
    ],
    ...[
      '::numeric',
      '::bigint',
      '::text',
      '::date',
      ' COLLATE "C"',
      ' BETWEEN ',
      ' AND ',
      ' OR ',
      'NOT (',
      ' IS NOT NULL',
    ],
    ...[
      ' IS NULL',
      ' = ANY (',
      'ARRAY[',
      '[]',
      ' @> ',
      ' && ',
      ' <> ',
      ' >= ',
      ' <= ',
      ' = ',
      ' > ',
      ' < ',
      ', ',
      '(',
      ')',
      ']',
      '0',
    ],
  ]
  const literal = fc
    .string({ unit: 'grapheme', maxLength: 20 })
    .filter((value) => !value.includes('\0'))
    .map((value) => ({ kind: 'text', value, at: 0 }) as const)

  test.each(screenerTypes)('of a %s query consists of fixed fragments and placeholders only', (type) => {
    const condition = conditionOver(type, (field) => {
      if (field.kind === 'number' || field.kind === 'integer')
        return fc.constant({ kind: 'number', value: '77712', at: 0 })
      if (field.kind === 'date') return fc.constant({ kind: 'text', value: '2023-07-19', at: 0 })
      if (field.kind === 'flag')
        return fc.constantFrom(...['true', 'no'].map((value) => ({ kind: 'text', value, at: 0 }) as const))
      const whole = wholeValue(field)
      if (whole !== undefined) return fc.constant({ kind: 'text', value: whole, at: 0 })
      return field.values.length > 0 ? literal.filter(({ value }) => value.length < 5 && value !== 'opc') : literal
    })
    fc.assert(
      fc.property(treesOf(condition), (tree) => {
        let rest = readQuery(type, printQuery(tree)).condition.replaceAll(/\$\d+/g, '')
        while (rest !== '') {
          const fragment = fragments.find((each) => rest.startsWith(each))
          if (fragment === undefined) throw new Error(`not a fixed fragment: ${rest}`)
          rest = rest.slice(fragment.length)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('a value that looks like SQL travels as a parameter', () => {
    const { condition, values } = readQuery('company', "NICDesc == '''; DROP TABLE registry.company; --'")
    expect(condition).toBe('(r.nic_description = $1::text)')
    expect(values).toEqual(["'; DROP TABLE registry.company; --"])
  })
})

describe('canonical form', () => {
  test.each([
    ["City=='Mumbai'   AND\n paidUpCapital>1_000_000", "City == 'Mumbai' AND paidUpCapital > 1000000"],
    [
      "State == 'Goa' OR State == 'Kerala' AND Listed == 'Listed'",
      "State == 'Goa' OR (State == 'Kerala' AND Listed == 'Listed')",
    ],
    ["((City == 'A') AND (NICDesc == 'B' AND District == 'C'))", "City == 'A' AND NICDesc == 'B' AND District == 'C'"],
    ["NOT (City == 'A' OR City IS NULL)", "NOT (City == 'A' OR City IS NULL)"],
    ["companyName CONTAINS 'D''Souza'", "company CONTAINS 'D''Souza'"],
    ['pincode == 403001', "Pincode == '403001'"],
    ['mainDivision IN [1, 62]', "mainDivision IN ['01', '62']"],
    ['NICCode IN [01110, 62011]', 'NICCode IN [1110, 62011]'],
    ['NICCode IN [0,111,112]', 'NICCode IN [0, 111, 112]'],
    [
      "City == 'A[' AND paidUpCapital IN [-1,100,250, 5 lakh]",
      "City == 'A[' AND paidUpCapital IN [-1, 100, 250, 500000]",
    ],
    ['paidUpCapital > 10 lakh', 'paidUpCapital > 1000000'],
    ['paidUpCapital BETWEEN 1.5 crore AND 2 Crores', 'paidUpCapital BETWEEN 15000000 AND 20000000'],
    ['authorisedCapital IN [1lakh, 2.345678 lacs]', 'authorisedCapital IN [100000, 234567.8]'],
    ["llpStatus == 'active'", "llpStatus == 'Active'"],
    ["llpStatus IN ['Strike Off', 'UPSO']", "llpStatus IN ['Struck Off', 'Under Process of Striking Off']"],
    ["llpStatus == 'Under process of striking off'", "llpStatus == 'Under Process of Striking Off'"],
    [
      "companyType == 'llp' AND classOfCompany == 'OPC'",
      "companyType == 'LLP' AND classOfCompany == 'One Person Company'",
    ],
    ["State IN ['MH', '27', 'or']", "State IN ['Maharashtra', 'Maharashtra', 'Odisha']"],
    ['paidUpCapital >= 007.50', 'paidUpCapital >= 7.5'],
    ["CIN == 'aac3965'", "CIN == 'AAC-3965'"],
    ["State == 'goa'", "State == 'Goa'"],
    ["State IN ['ORISSA', ' TAMIL  NADU ', 'Pondicherry']", "State IN ['Odisha', 'Tamil Nadu', 'Puducherry']"],
    ["State != 'uttaranchal' AND State == 'GA'", "State != 'Uttarakhand' AND State == 'Goa'"],
    ['has_mobile', "has_mobile == 'true'"],
    ["NOT (has_email) AND City == 'Panaji'", "NOT has_email == 'true' AND City == 'Panaji'"],
    ['has_mobile == true OR has_email != Yes', "has_mobile == 'true' OR has_email != 'true'"],
    ["has_email == 'FALSE'", "has_email == 'false'"],
    ["State STARTS_WITH 'tamil'", "State STARTS_WITH 'tamil'"],
    [
      "dateOfIncorporation BETWEEN '2024-01-01' AND '2024-12-31'",
      "dateOfIncorporation BETWEEN '2024-01-01' AND '2024-12-31'",
    ],
  ])('%s is read as %s', (query, canonical) => {
    expect(readQuery('company', query).canonical).toBe(canonical)
  })
})
