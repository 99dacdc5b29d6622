/** Dirty files of a source: header names of any year, columns that are missing or nobody's, and every way to write a table. */
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import type { Source } from '../../../config/sources/source.ts'
import { cellsOf, dateFields } from './cells.ts'
import { dateCell, habit } from './dates.ts'

export interface DirtyFile {
  readonly ending: string
  readonly bytes: Buffer
  /** As the oracle reads it: before it is compressed. */
  readonly plain: Buffer
  /** What a failed property prints. */
  readonly [fc.toStringMethod]: () => string
}
type Table = readonly (readonly string[])[]

const style = fc.record({
  delimiter: fc.constantFrom(',', ',', ';', '\t', '|'),
  lineEnd: fc.constantFrom('\n', '\n', '\r\n', '\r'),
  encoding: fc.oneof(
    { weight: 12, arbitrary: fc.constant('utf8' as const) },
    { weight: 3, arbitrary: fc.constant('marked' as const) },
    { weight: 4, arbitrary: fc.constant('windows' as const) },
    { weight: 1, arbitrary: fc.constant('utf16' as const) },
  ),
  isQuoted: fc.boolean(),
  trailing: fc.constantFrom('none', 'none', 'none', 'rows', 'all'),
  titles: fc.constantFrom(0, 0, 0, 1, 2),
  blankLines: fc.constantFrom(false, false, true),
  isPacked: fc.integer({ min: 0, max: 19 }).map((drawn) => drawn === 0),
  endsWithLine: fc.integer({ min: 0, max: 9 }).map((drawn) => drawn !== 0),
})
type Style = typeof style extends fc.Arbitrary<infer S> ? S : never

function written(
  table: Table,
  { delimiter, lineEnd, isQuoted, trailing, titles, blankLines, endsWithLine }: Style,
): string {
  // A bare quote breaks its record, and a broken record of several lines is two.
  const cell = (text: string, isLong: boolean) =>
    isQuoted || text.includes(delimiter) || /^"|[\r\n]/.test(text) || (isLong && text.includes('"'))
      ? `"${text.replaceAll('"', '""').replaceAll('\n', lineEnd)}"`
      : text
  // Beside a single column nothing tells a separator from a cell's text.
  const trails = (row: number) => trailing === 'all' || (trailing === 'rows' && row > 0)
  const behind = (row: number) => ((table[0]?.length ?? 0) > 1 && trails(row) ? delimiter.repeat(2) : '')
  const lines = table.map(
    (cells, row) =>
      cells
        .map((text) =>
          cell(
            text,
            cells.some((each) => each.includes('\n')),
          ),
        )
        .join(delimiter) + behind(row),
  )
  const [header = '', ...rows] = lines
  // Two columns below a title may as well be a row of a list of one column.
  const notes = ['Ministry of Corporate Affairs', ''].slice(0, table[0]?.length === 2 ? 0 : titles)
  const body = rows.flatMap((row, place) => (blankLines && place === 1 ? ['', row] : [row]))
  return [...notes, header, ...body].join(lineEnd) + (endsWithLine ? lineEnd : '')
}

function encoded(text: string, encoding: Style['encoding']): Buffer {
  if (encoding === 'utf16') return Buffer.from(`\uFEFF${text}`, 'utf16le')
  if (encoding === 'marked') return Buffer.from(`\uFEFF${text}`)
  if (encoding === 'utf8') return Buffer.from(text)
  const narrow = text.replace(/[ÃÂ]/g, 'A').replace(/[\u0100-\uFFFF]/g, '?')
  return Buffer.from(narrow, 'latin1')
}

/** Of a person's name the whole or its parts, of which none stands alone. */
function withoutNameTwice(fields: readonly string[]): string[] {
  const parts = ['firstName', 'middleName', 'lastName']
  const some = fields.filter((field) => !parts.includes(field) || !fields.includes('fullName'))
  const isTold = parts.every((part) => some.includes(part))
  return some.filter((field) => isTold || !parts.includes(field))
}

/** A header of one of the source's generations, with any of the other columns, in any order. */
const header = (source: Source) =>
  fc.constantFrom(...source.generations).chain(({ columns, required }) => {
    const known = Object.keys(columns).filter((field) => dateFields.has(field) || cellsOf[source.name]?.[field])
    const others = known.filter((field) => !required.includes(field))
    const needed = required.filter((field) => known.includes(field) || field === 'contribution')
    return fc
      .tuple(fc.subarray(others), fc.boolean())
      .map(([some, isStray]) => [...needed, ...withoutNameTwice(some), ...(isStray ? ['stray'] : [])])
      .chain((fields) => fc.shuffledSubarray(fields, { minLength: fields.length }))
      .chain((fields) =>
        fc.tuple(
          ...fields.map((field) =>
            fc.record({ field: fc.constant(field), name: fc.constantFrom(...(columns[field] ?? ['Remarks'])) }),
          ),
        ),
      )
  })

export const dirtyFile = (source: Source): fc.Arbitrary<DirtyFile> =>
  header(source)
    .chain((columns) => {
      const cell = (field: string) =>
        dateFields.has(field)
          ? dateCell
          : (cellsOf[source.name]?.[field] ?? fc.constantFrom('', 'x')).map((text) => () => text)
      const row = fc.tuple(...columns.map(({ field }) => cell(field)))
      return fc.record({
        columns: fc.constant(columns),
        habits: fc.tuple(...columns.map(() => fc.tuple(habit, fc.integer({ min: 0, max: 2 })))),
        rows: fc.array(row, { minLength: 1, maxLength: 6 }),
        // Now and then the last row stands against hundreds.
        times: fc.integer({ min: 0, max: 24 }).map((drawn) => (drawn === 0 ? 120 : 1)),
        shorn: fc.option(fc.nat(5), { freq: 12 }),
        style,
      })
    })
    .map(({ columns, habits, rows, times, shorn, style: how }) => {
      const repeated = [...Array.from({ length: times }, () => rows.slice(0, -1)).flat(), ...rows.slice(-1)]
      const table = repeated.map((row, place) => {
        const cells = row.map((write, column) => {
          const [usual, vagueness] = habits[column] ?? [(year: string) => year, 1]
          return write(usual, vagueness === 0)
        })
        // A broken record of several lines is taken up again at its next line, which makes it two.
        return shorn === place && !cells.some((cell) => cell.includes('\n')) ? cells.slice(0, -1) : cells
      })
      const plain = encoded(written([columns.map(({ name }) => name), ...table], how), how.encoding)
      const bytes = how.isPacked ? gzipSync(plain) : plain
      const ending = how.isPacked ? 'csv.gz' : 'csv'
      return {
        ending,
        bytes,
        plain,
        [fc.toStringMethod]: () =>
          JSON.stringify({ text: how.encoding === 'utf16' ? plain.toString('utf16le') : plain.toString(), ...how }),
      }
    })
