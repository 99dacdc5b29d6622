/**
 * Which records a rejected row names: those whose identifying parts stand in it, in whichever cells, for a row may be torn. It was
 * seen, so it closes nothing.
 */
import type { ColumnRule, Source } from '../../../config/sources/source.ts'
import { contactValueOf } from './contacts.ts'
import { companyIdOf, dinOf, gstinOf } from './identifiers.ts'
import { tariffOf } from './tariff.ts'

/** Column -> what of it stands in the row. A record is named that has one of each. */
export type Named = ReadonlyMap<string, ReadonlySet<string>>

type Reader = (piece: string) => string | null
const pincodeOf: Reader = (piece) => /^[1-9]\d{5}$/.exec(piece.replace(/\s/g, ''))?.[0] ?? null
const readers: Readonly<Partial<Record<ColumnRule['kind'], readonly Reader[]>>> = {
  'company-id': [companyIdOf],
  din: [dinOf],
  gstin: [gstinOf],
  'any-identifier': [companyIdOf, dinOf, gstinOf],
  'contact-value': [contactValueOf],
  pincode: [pincodeOf],
  tariff: [(piece) => tariffOf(piece, undefined).code, (piece) => tariffOf(undefined, piece).code],
  text: [(piece) => piece],
}
const readBy = (reader: Reader, piece: string): string[] => {
  try {
    return [reader(piece) ?? []].flat()
  } catch {
    return []
  }
}

export function namedIn(source: Source, cells: readonly string[]): Named {
  const text = cells.join(';')
  const pieces = [...text.split(/[",;|\t\r\n]+/), ...text.split(/[",;|\s]+/)].map((piece) => piece.trim())
  const rule = source.columns[source.key]
  const columns = rule?.kind === 'joined' ? rule.named : [source.key]
  return new Map(
    columns.map((column) => {
      const by = readers[source.columns[column]?.kind ?? 'text'] ?? []
      return [column, new Set(pieces.flatMap((piece) => by.flatMap((reader) => readBy(reader, piece))))]
    }),
  )
}
