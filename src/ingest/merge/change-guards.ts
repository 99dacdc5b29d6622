/** Detects a complete but wrong file by what it changes in the register's records. */
import {
  type Bounds,
  type ChangeKind,
  deltaChangesMax,
  fewChanges,
  type RunMode,
  type Source,
  usualChangesMax,
} from '../../../config/sources/source.ts'

/** Records whose value in a column a file changed in one way. */
export interface ColumnChange {
  readonly column: string
  readonly kind: ChangeKind
  /** Counted, or estimated from a sample if a file changes very many records. */
  readonly rows: number
  readonly isSampled: boolean
  /** The records that the share is relative to. */
  readonly known: number
  readonly knownBy: KnownBy
  /** Median share of such changes in the source's last runs. */
  readonly usual: number
}

export interface ChangeExample {
  readonly identifier: string
  readonly before: string
  readonly after: string | null
}

/** The file's records that the register had, or all open records of the register. */
export type KnownBy = 'file' | 'register'

export const knownBy = (mode: RunMode, kind: ChangeKind): KnownBy =>
  mode === 'snapshot' || deltaChangesMax[kind] !== undefined ? 'file' : 'register'

const changesMax = (bounds: Bounds, mode: RunMode, kind: ChangeKind): number =>
  (mode === 'delta' ? deltaChangesMax[kind] : undefined) ?? bounds.changesMax?.[kind] ?? usualChangesMax[kind]

const kinds = Object.keys(usualChangesMax) as ChangeKind[]

/** Below this share of the records that they are relative to, changes are never too many, whatever their kind. */
export const leastChangesMax = (bounds: Bounds, mode: RunMode): number =>
  Math.min(...kinds.map((kind) => changesMax(bounds, mode, kind)))

/** Up to this number, changes are never too many, whatever the register contains. */
export const leastFewChanges = Math.min(...Object.values(fewChanges))

/** Up to half again as many changes as usual need no approval. */
const usualTimes = 1.5
const allowedShare = (bounds: Bounds, mode: RunMode, { kind, usual }: ColumnChange): number =>
  Math.max(changesMax(bounds, mode, kind), usualTimes * usual)
const isTooMuch = (bounds: Bounds, mode: RunMode, change: ColumnChange): boolean =>
  change.rows > Math.max(fewChanges[change.kind], allowedShare(bounds, mode, change) * change.known)

/** The kinds, most informative first. */
const telling: readonly ChangeKind[] = ['moved', 'jumped', 'emptied', 'shifted', 'fell', 'rose', 'changed']

/**
 * @returns the changes that need an operator's approval; for columns filled from the same field, only the most
 *   informative.
 */
export function tooManyChanges(
  { bounds, columns }: Source,
  mode: RunMode,
  changes: readonly ColumnChange[],
): ColumnChange[] {
  const fieldOf = ({ column }: ColumnChange): unknown => {
    const rule = columns[column]
    return rule && 'from' in rule ? String(rule.from) : column
  }
  const wrong = changes
    .filter((change) => isTooMuch(bounds, mode, change))
    .toSorted((a, b) => telling.indexOf(a.kind) - telling.indexOf(b.kind))
  return [...Map.groupBy(wrong, fieldOf).values()].flatMap(([first]) => first ?? [])
}

const inWords: Readonly<Record<ChangeKind, (column: string) => string>> = {
  changed: (column) => `change their ${column}`,
  emptied: (column) => `lose their ${column}`,
  fell: (column) => `fall back in their ${column}`,
  rose: (column) => `rise in their ${column}`,
  jumped: (column) => `change their ${column} by a factor of ten or more`,
  shifted: (column) => `move to one and the same ${column}`,
  moved: (column) => `take the ${column} that another record had`,
}

export function changeReason(
  bounds: Bounds,
  mode: RunMode,
  change: ColumnChange,
  examples: readonly ChangeExample[],
): string {
  const { rows, isSampled, known, column, kind } = change
  const records = change.knownBy === 'file' ? 'known records' : 'open records'
  const examplesText = examples.map(
    ({ identifier, before, after }) => `, ${identifier} from ${shown(before)} to ${shown(after)}`,
  )
  const most = `${Math.round(allowedShare(bounds, mode, change) * 1000) / 10} %`
  return `${isSampled ? 'about ' : ''}${rows} of ${known} ${records} ${inWords[kind](column)}${examplesText.join('')}; at most ${most} expected`
}

const shown = (value: string | null): string => (value === null ? 'nothing' : JSON.stringify(value.slice(0, 60)))
