/** A file of a source as the rows that a register is given, of the columns that the oracle judges. */
import type { Source } from '../../../config/sources/source.ts'
import type { OracleRow } from '../register.ts'
import { unjudged } from '../unjudged.ts'
import type { Said } from './cells.ts'
import { isFilling, isFollowing, isPiecemeal, isRemoving, type Reading, readFile, valueIn } from './file.ts'

export const judgedOf = (source: Source): string[] =>
  Object.keys(source.columns).filter((column) => !unjudged(source).includes(column))

export interface ReadRows extends Omit<Reading, 'rows' | 'has'> {
  readonly rows: readonly OracleRow[]
}

/** Whether the file has all without which a new record means nothing. */
const tellsWhatIsNeeded = (source: Source, { has }: Reading): boolean =>
  Object.values(source.columns).every((rule) => {
    if (rule.kind === 'full-name') return [rule.from, ...rule.parts].some(has)
    return (
      !('required' in rule && rule.required) || has(rule.from) || ('fallback' in rule && rule.fallback !== undefined)
    )
  })

/** @param knows whether the register has the record: of a file that does not tell what a record needs, no other is made. */
export function rowsOf(source: Source, plain: Uint8Array, knows: (id: string) => boolean): ReadRows {
  const reading = readFile(source, plain)
  const judged = judgedOf(source)
  const makesNew = tellsWhatIsNeeded(source, reading)
  const isMade = (id: string) => makesNew || knows(id)
  const unmade = reading.rows.filter(({ id }) => !isMade(id)).map(({ line }) => ({ line, code: 'value_missing' }))
  const rows = reading.rows
    .filter(({ id }) => isMade(id))
    .map(({ id, said }) =>
      rowOf(
        id,
        [...said].filter(([column]) => judged.includes(column)),
      ),
    )
  return { ...reading, rows, rejects: [...reading.rejects, ...unmade].toSorted((one, other) => one.line - other.line) }
}

function rowOf(id: string, said: readonly (readonly [string, Said])[]): OracleRow {
  const some = <T>(of: (value: Said) => T | undefined): Record<string, T> =>
    Object.fromEntries(
      said.flatMap(([name, value]): [string, T][] => {
        const each = of(value)
        return each === undefined ? [] : [[name, each]]
      }),
    )
  return {
    id,
    cells: some((value) => (value === undefined || isFilling(value) || isRemoving(value) ? undefined : valueIn(value))),
    fills: some((value) => (isFilling(value) ? value.fills : undefined)),
    follows: some((value) => (isFollowing(value) ? { of: value.follows, even: value.even ?? false } : undefined)),
    removed: some((value) => (isRemoving(value) ? value.removedBy : undefined)),
    pieces: some((value) => (isPiecemeal(value) ? { separator: value.separator, among: value.among } : undefined)),
  }
}
