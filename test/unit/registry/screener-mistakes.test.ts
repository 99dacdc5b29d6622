/** Queries that are refused: where the mistake is, what to write instead, and how long and deep a query may be. */
import { describe, expect, test } from 'vitest'
import { AppError } from '../../../src/errors.ts'
import { type Field, type ScreenerType, screenerFields, screenerTypes } from '../../../src/registry/screener/fields.ts'
import { readQuery } from '../../../src/registry/screener/read.ts'

/** Nothing where the query is read. */
function refusalOf(query: string, type: ScreenerType): AppError | undefined {
  try {
    readQuery(type, query)
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

function mistakeOf(query: string, type: ScreenerType = 'company'): AppError {
  const refusal = refusalOf(query, type)
  if (refusal) return refusal
  throw new Error(`no mistake was found in ${query}`)
}

describe('a mistake teaches', () => {
  test.each([
    ["city == 'Mumbai'", 0, 'city', 'City'],
    ["State == 'Goa' AND paidupcapital > 5", 19, 'paidupcapital', 'paidUpCapital'],
    ["Stae == 'Goa'", 0, 'Stae', 'State'],
    ["City = 'Mumbai'", 5, '=', '=='],
    ["City <> 'Mumbai'", 5, '<>', '!='],
    ['City == "Mumbai"', 8, '"Mumbai"', "'Mumbai'"],
    ['City == “O’Hare”', 8, '“O’Hare”', undefined],
    ['City == Mumbai', 8, 'Mumbai', "'Mumbai'"],
    ["City == 'A' && State == 'B'", 12, '&&', 'AND'],
    ["City == 'A' || State == 'B'", 12, '||', 'OR'],
    ["City == 'A' and State == 'B'", 12, 'and', 'AND'],
    ["City in ['A']", 5, 'in', 'IN'],
    ["not City == 'A'", 0, 'not', 'NOT'],
    ["company like 'x'", 8, 'like', 'CONTAINS'],
    ["City IN ('A', 'B')", 8, '(', '['],
    ["City IN ['A', 'B'", 17, 'end of query', ']'],
    ["(City == 'A'", 12, 'end of query', ')'],
    ["City == 'A' State == 'B'", 12, 'State', 'AND State'],
    ["City NOT CONTAINS 'A'", 0, 'City NOT CONTAINS', 'NOT City CONTAINS'],
    ["State == 'Keraala'", 9, "'Keraala'", "'Kerala'"],
    ["paidUpCapital > '1,00,000'", 16, "'1,00,000'", '100000'],
    ['paidUpCapital > 1,00,000', 16, '1,00,000', '100000'],
    ['paidUpCapital > 5L', 16, '5L', '500000'],
    ['paidUpCapital > 2.5 million', 16, '2.5 million', '2500000'],
    ['paidUpCapital > ₹10,00,000', 16, '₹10,00,000', '1000000'],
    ['paidUpCapital > Rs. 10 lakh', 16, 'Rs. 10 lakh', '1000000'],
    ["paidUpCapital > '10 lakh'", 16, "'10 lakh'", '1000000'],
    ['paidUpCapital > 1e6', 16, '1e6', '1000000'],
    ['paidUpCapital BETWEEN 1,00,000 AND 5,00,000', 22, '1,00,000', '100000'],
    ['paidUpCapital IN [5, 1,00,000]', 21, '1,00,000', '100000'],
    ["City == '[' AND paidUpCapital > 125,500", 32, '125,500', '125500'],
    ["State IN ['Goa'] AND paidUpCapital > 125,500", 37, '125,500', '125500'],
    ['paidUpCapital BETWEEN 5 lakh AND 1  lakh', 22, '5 lakh AND 1  lakh', '1  lakh AND 5 lakh'],
    ['paidUpCapital BETWEEN 1 TO 5', 24, 'TO', 'AND'],
    ['paidUpCapital BETWEEN 1, 5', 23, ',', ' AND'],
    ['paidUpCapital == 1, 5', 18, ',', null],
    ['NICCode == [62011, 62012]', 8, '==', 'IN'],
    ["llpStatus IS 'Active'", 10, 'IS', '=='],
    ['has_mobile == perhaps', 14, 'perhaps', null],
    ['has_mobile IS NULL', 0, 'has_mobile IS NULL', null],
    ['llpStatus IS NOT Active', 10, 'IS NOT', '!='],
    ['llpStatus IS EMPTY', 13, 'EMPTY', 'NULL'],
    ["company STARTS WITH 'A'", 8, 'STARTS WITH', 'STARTS_WITH'],
    ["company does not contain 'A'", 0, 'company does not contain', 'NOT company CONTAINS'],
    ["company !contains 'A'", 8, '!', 'NOT '],
    ["State=='Goa'&&City=='Panaji'", 12, '&&', 'AND '],
    ["City: 'Mumbai'", 4, ':', '=='],
    ['City == 10 lakh', 8, '10 lakh', "'10 lakh'"],
    ['dateOfIncorporation > 31/01/2024', 22, '31/01/2024', "'2024-01-31'"],
    ["dateOfIncorporation > '2024/1/31'", 22, "'2024/1/31'", "'2024-01-31'"],
    ['paidUpCapital == null', 14, '== null', 'IS NULL'],
    ['paidUpCapital != NULL', 14, '!= NULL', 'IS NOT NULL'],
    ["status == 'Active'", 0, 'status', 'llpStatus'],
    ["name CONTAINS 'x'", 0, 'name', 'company'],
    ['NICCode IN [62011 62012]', 18, '62012', ', 62012'],
    ["company CONTAINS ''", 0, "company CONTAINS ''", 'company IS NOT NULL'],
    ["NOT City STARTS_WITH ''", 4, "City STARTS_WITH ''", 'City IS NOT NULL'],
    ["State ENDS_WITH  '' AND City == 'Panaji'", 0, "State ENDS_WITH  ''", 'State IS NOT NULL'],
    ['paidUpCapital BETWEEN 5 AND 1', 22, '5 AND 1', '1 AND 5'],
    [
      "dateOfIncorporation BETWEEN '2024-02-01' AND '2024-01-01'",
      28,
      "'2024-02-01' AND '2024-01-01'",
      "'2024-01-01' AND '2024-02-01'",
    ],
    ['Listed == true', 10, 'true', "'Listed'"],
    ['llpStatus == strike off', 13, 'strike off', "'Struck Off'"],
    ['State == MH', 9, 'MH', "'Maharashtra'"],
    ["State == 'Bombay'", 9, "'Bombay'", "'Maharashtra'"],
    ["City == New Delhi AND State == 'Delhi'", 8, 'New Delhi', "'New Delhi'"],
    ["City == Pune State == 'Goa'", 8, 'Pune', "'Pune'"],
    ['paidUpCapital > plenty', 16, 'plenty', null],
    ['City == 5', 8, '5', "'5'"],
    ['dateOfIncorporation > 2024-01-31', 22, '2024-01-31', "'2024-01-31'"],
    ["dateOfIncorporation > '31/01/2024'", 22, "'31/01/2024'", "'2024-01-31'"],
    ["dateOfIncorporation > '2024-02-30'", 22, "'2024-02-30'", null],
    ["City > 'A'", 0, 'City >', null],
    ["paidUpCapital CONTAINS '5'", 0, 'paidUpCapital CONTAINS', null],
    ["City == 'A", 8, "'A", null],
    ['', 0, 'end of query', null],
    ["GSTIN == '27'", 0, 'GSTIN', null],
  ])('%s', (query, position, found, suggestion) => {
    const { extra, message, httpStatus } = mistakeOf(query)
    expect(httpStatus).toBe(422)
    expect(extra).toMatchObject({ position, found, line: 1, column: position + 1 })
    if (suggestion !== undefined) expect(extra['suggestion']).toBe(suggestion)
    if (typeof suggestion === 'string') expect(message).toContain(suggestion)
  })

  test('each piece of advice stands in for what is told to stand there, and taking one after the other ends', () => {
    const signs = ['=', '===', '!=', '<>', ':', '~', 'is', 'IS NOT', 'LIKE', 'in', 'NOT IN', 'not contains', 'BETWEEN']
    const phrases = ['STARTS WITH', 'does not contain', 'at least', 'after', '=>', '!contains']
    const values = [
      ...[
        'Active',
        "'Active'",
        '"Active"',
        'true',
        'null',
        '10 lakh',
        "'10 lakh'",
        '10,00,000',
        '1e6',
        '₹500',
        'Rs. 5',
      ],
      ...['5 AND 1', '1 and 5', '1 to 5', '1, 5', '[1 5]', '(1,5)', "'a','b'", '01/02/2024', '2024-01-01', 'MH', "''"],
    ]
    const walk = (type: ScreenerType, first: string): string | undefined => {
      let query = first
      for (let step = 0; step < 8; step += 1) {
        const { position, found, suggestion } = refusalOf(query, type)?.extra ?? {}
        if (typeof position !== 'number' || typeof found !== 'string' || typeof suggestion !== 'string')
          return undefined
        if (found !== 'end of query' && !query.startsWith(found, position))
          return `${query}: no ${found} at ${position}`
        query = query.slice(0, position) + suggestion + query.slice(position + found.length)
      }
      return `${first} has become ${query}`
    }
    // One field of each kind, with words of its own and without.
    const sortOf = ({ kind, vocabulary }: Field) => `${kind} ${vocabulary === undefined}`
    const different = (fields: readonly Field[]) => [...new Map(fields.map((field) => [sortOf(field), field])).values()]
    const odd = screenerTypes.flatMap((type) =>
      different(screenerFields[type]).flatMap(({ name }) =>
        [...signs, ...phrases].flatMap((sign) =>
          values.flatMap((value) => walk(type, `${name} ${sign} ${value}`) ?? []),
        ),
      ),
    )
    expect(odd).toEqual([])
  })

  const advised = [
    ['paidUpCapital > ₹10,00,000', 'paidUpCapital > 1000000'],
    ["State=='Goa'&&City=='Panaji'", "State=='Goa'AND City=='Panaji'"],
    ["company does not contain 'A'", "NOT company CONTAINS 'A'"],
    ["llpStatus IS NOT 'Active'", "llpStatus != 'Active'"],
    ['paidUpCapital BETWEEN 5 lakh AND 1 lakh', 'paidUpCapital BETWEEN 1 lakh AND 5 lakh'],
    ["status == 'Active'", "llpStatus == 'Active'"],
    ['paidUpCapital == null', 'paidUpCapital IS NULL'],
    ['NICCode IN [62011 62012]', 'NICCode IN [62011 , 62012]'],
    ['paidUpCapital BETWEEN 5 AND 1', 'paidUpCapital BETWEEN 1 AND 5'],
    ["City NOT CONTAINS 'A'", "NOT City CONTAINS 'A'"],
    ['Listed == true', "Listed == 'Listed'"],
    ['paidUpCapital > 1,00,000', 'paidUpCapital > 100000'],
    ['City == New Delhi', "City == 'New Delhi'"],
    ["State == 'Calcutta'", "State == 'West Bengal'"],
    ["City == 'A' State == 'Goa'", "City == 'A' AND State == 'Goa'"],
    ["(City == 'A'", "(City == 'A')"],
    ["City IN ('A']", "City IN ['A']"],
    ["dateOfIncorporation > '31/01/2024'", "dateOfIncorporation > '2024-01-31'"],
    ["company like 'x'", "company CONTAINS 'x'"],
  ] as const
  test.each(advised)('%s, fixed as it is advised, is read as %s', (query, meant) => {
    const { position, found, suggestion } = mistakeOf(query).extra as Record<'position' | 'found' | 'suggestion', never>
    const length = query.slice(position).startsWith(found) ? String(found).length : 0
    const fixed = query.slice(0, position) + suggestion + query.slice(position + length)
    expect(fixed).toBe(meant)
    expect(readQuery('company', fixed).canonical).not.toBe('')
  })

  test('line and column point into a query of several lines', () => {
    expect(mistakeOf("State == 'Goa'\n  AND city == 'Panaji'").extra).toMatchObject({
      position: 21,
      line: 2,
      column: 7,
    })
  })

  test('what could stand at the place is listed', () => {
    expect(mistakeOf('City').extra['expected']).toEqual(expect.arrayContaining(['==', 'IN', 'IS NULL']))
    expect(mistakeOf("City == 'A' 5").extra['expected']).toEqual(['AND', 'OR', 'end of query'])
  })

  test('a field of the other type is named as such', () => {
    expect(mistakeOf("LegalName == 'x'").message).toMatch(/gst queries have it/)
  })
})

describe('bounds', () => {
  const nested = (levels: number) => `${'('.repeat(levels)}City == 'A'${')'.repeat(levels)}`

  test('32 levels are read and 33 are refused, also of NOT and of alternating AND and OR', () => {
    expect(readQuery('company', nested(32)).canonical).toBe("City == 'A'")
    expect(mistakeOf(nested(33)).message).toMatch(/32 levels/)
    expect(mistakeOf(`${'NOT '.repeat(33)}City == 'A'`).message).toMatch(/32 levels/)
    const leaf = "City == 'A'"
    const alternating = Array.from({ length: 20 }).reduce<string>((inner) => `${leaf} OR ${leaf} AND (${inner})`, leaf)
    expect(mistakeOf(alternating).message).toMatch(/32 levels/)
  })

  test('4 KiB are read and one byte more is refused', () => {
    const padded = (bytes: number) => `City == '${'x'.repeat(bytes - 10)}'`
    expect(Buffer.byteLength(padded(4096))).toBe(4096)
    expect(readQuery('company', padded(4096)).values).toHaveLength(1)
    expect(mistakeOf(padded(4097)).message).toMatch(/4096 bytes/)
    expect(mistakeOf(`City == '${'ग'.repeat(1400)}'`).message).toMatch(/4096 bytes/)
  })

  test('1,000 list members are read and one more is refused', () => {
    const list = (members: number) => `NICCode IN [${Array.from({ length: members }, (_, index) => index).join(',')}]`
    expect(readQuery('company', list(1000)).values[0]).toHaveLength(1000)
    expect(mistakeOf(list(1001)).message).toMatch(/1000 members/)
  })
})
