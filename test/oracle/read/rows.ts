/** A file of a source as the rows that a register is given, of the columns that the oracle judges. */
import type { Source } from '../../../config/sources/source.ts'
import type { OracleRow } from '../register.ts'
import { unjudged } from '../unjudged.ts'
import { isFilling, isFollowing, type Reading, readFile } from './file.ts'

export const judgedOf = (source: Source): string[] =>
  Object.keys(source.columns).filter((column) => !unjudged(source).includes(column))

export interface ReadRows extends Omit<Reading, 'rows'> {
  readonly rows: readonly OracleRow[]
}

/** Without them a record means nothing. */
const needed = (source: Source): string[] =>
  Object.entries(source.columns).flatMap(([column, rule]) =>
    rule.kind === 'full-name' || ('required' in rule && rule.required) ? [column] : [],
  )

/** @param knows whether the register has the record: of a file that does not tell what a record needs, no other is made. */
export function rowsOf(source: Source, plain: Uint8Array, knows: (id: string) => boolean): ReadRows {
  const reading = readFile(source, plain)
  const judged = judgedOf(source)
  const isMade = ({ id, said }: Reading['rows'][number]) =>
    knows(id) || needed(source).every((column) => said.get(column) !== undefined)
  const unmade = reading.rows.filter((row) => !isMade(row)).map(({ line }) => ({ line, code: 'value_missing' }))
  const rejects = [...reading.rejects, ...unmade].toSorted((one, other) => one.line - other.line)
  const rows = reading.rows.filter(isMade).map(({ id, said }): OracleRow => {
    const all = [...said].filter(([column]) => judged.includes(column))
    const cells = all.flatMap(([name, value]) =>
      value === undefined || isFilling(value) ? [] : [[name, isFollowing(value) ? value.value : value]],
    )
    const fills = all.flatMap(([name, value]) => (isFilling(value) ? [[name, value.fills]] : []))
    const follows = all.flatMap(([name, value]) => (isFollowing(value) ? [[name, value.follows]] : []))
    return {
      id,
      cells: Object.fromEntries(cells),
      fills: Object.fromEntries(fills),
      follows: Object.fromEntries(follows),
    }
  })
  return { ...reading, rows, rejects }
}
