/**
 * An operator's mapping of a file's columns to fields of its source, for headers that no generation covers. A map is a
 * generation like those of `config/sources` and precedes them; it does not apply to files that lack one of its columns.
 */
import type { ColumnRule, HeaderGeneration, Source } from '../../config/sources/source.ts'
import { AppError } from '../errors.ts'
import { sameColumn } from './header-match.ts'

/** Column name in the file → field of the source. */
export type ColumnMap = Readonly<Record<string, string>>

/** The fields that a source reads, as its generations name them. */
export const fieldsOf = ({ generations }: Pick<Source, 'generations'>): readonly string[] => [
  ...new Set(generations.flatMap(({ columns }) => Object.keys(columns))),
]

/** @throws AppError BAD_REQUEST listing the fields of the source */
export function requireColumnMap(source: Source, map: ColumnMap): void {
  const fields = fieldsOf(source)
  const filledFields = new Set<string>()
  const mapped = Object.entries(map)
  for (const [at, [column, field]] of mapped.entries()) {
    if (column.trim() === '') throw new AppError('BAD_REQUEST', `A column that fills ${field} has no name.`)
    const before = mapped.slice(0, at).find(([other]) => sameColumn(other, column))
    if (before) {
      const [name, filled] = before
      throw new AppError(
        'BAD_REQUEST',
        `The column ${JSON.stringify(name)} is named twice, for ${filled} and for ${field}; name one of them.`,
      )
    }
    if (!fields.includes(field)) {
      throw new AppError(
        'BAD_REQUEST',
        `${source.name} has no field ${JSON.stringify(field)} for the column ${JSON.stringify(column)}. Fields: ${fields.join(', ')}.`,
      )
    }
    if (filledFields.has(field)) throw new AppError('BAD_REQUEST', `Two columns fill ${field}; name one of them.`)
    filledFields.add(field)
  }
}

/** The source with these maps before its own headers, in this order. */
export const withColumnMaps = (source: Source, maps: readonly ColumnMap[]): Source => ({
  ...source,
  generations: [...maps.map((map) => generationOf(source, map)), ...source.generations],
})

/** The source with this map only: a file without one of its columns is rejected. */
export const underColumnMap = (source: Source, map: ColumnMap): Source => ({
  ...source,
  generations: [generationOf(source, map)],
})

function generationOf(source: Source, map: ColumnMap): HeaderGeneration {
  const mapped = Object.entries(map)
  const names = (field: string): readonly string[] => {
    const own = mapped.filter(([, each]) => each === field).map(([column]) => column)
    if (own.length > 0) return own
    const known = new Set(source.generations.flatMap(({ columns }) => columns[field] ?? []))
    return [...known].filter((name) => !mapped.some(([column]) => sameColumn(column, name)))
  }
  const dateOrder = source.generations.find((each) => each.dateOrder !== undefined)?.dateOrder
  return {
    name: 'columns as mapped by an operator',
    columns: Object.fromEntries(fieldsOf(source).map((field) => [field, names(field)])),
    required: [...new Set([...Object.values(source.columns).flatMap(neededBy), ...Object.values(map)])],
    ...(dateOrder && { dateOrder }),
    map,
  }
}

/** Fields without which a rule rejects every row. */
function neededBy(rule: ColumnRule): readonly string[] {
  if (rule.kind === 'company-id' || rule.kind === 'din' || rule.kind === 'gstin' || rule.kind === 'pincode')
    return [rule.from]
  if (rule.kind === 'any-identifier') return [rule.from, rule.entityFrom]
  return (rule.kind === 'text' || rule.kind === 'integer') && rule.required === true ? [rule.from] : []
}
