/** Tells a file that is complete and wrong from a good one by what it changes of the records that the register holds. */
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
  /** Counted, or from a sample of the records where a file changes very many. */
  readonly rows: number
  readonly isSampled: boolean
  /** Records that the change is counted of. */
  readonly known: number
  readonly knownBy: KnownBy
  /** Share that the source's last runs changed so, the median. */
  readonly usual: number
}

export interface ChangeExample {
  readonly identifier: string
  readonly before: string
  readonly after: string | null
}

/** Records of the file that the register held, or all open records of the register. */
export type KnownBy = 'file' | 'register'

export const knownBy = (mode: RunMode, kind: ChangeKind): KnownBy =>
  mode === 'snapshot' || deltaChangesMax[kind] !== undefined ? 'file' : 'register'

const changesMax = (bounds: Bounds, mode: RunMode, kind: ChangeKind): number =>
  (mode === 'delta' ? deltaChangesMax[kind] : undefined) ?? bounds.changesMax?.[kind] ?? usualChangesMax[kind]

const kinds = Object.keys(usualChangesMax) as ChangeKind[]

/** Fewer changed records than this share of those that they are counted of cannot be too many in any way. */
export const leastChangesMax = (bounds: Bounds, mode: RunMode): number =>
  Math.min(...kinds.map((kind) => changesMax(bounds, mode, kind)))

/** As many cannot be too many in any way, whatever the register holds. */
export const leastFewChanges = Math.min(...Object.values(fewChanges))

/** As often as usual, and half as often again, is no reason to wait. */
const usualTimes = 1.5
const allowedShare = (bounds: Bounds, mode: RunMode, { kind, usual }: ColumnChange): number =>
  Math.max(changesMax(bounds, mode, kind), usualTimes * usual)
const isTooMuch = (bounds: Bounds, mode: RunMode, change: ColumnChange): boolean =>
  change.rows > Math.max(fewChanges[change.kind], allowedShare(bounds, mode, change) * change.known)

/** The kinds by how much they tell of what went wrong. */
const telling: readonly ChangeKind[] = ['moved', 'jumped', 'emptied', 'shifted', 'fell', 'rose', 'changed']

/** @returns those for which an operator has to look at the file first; of columns that one field fills, the one that tells most. */
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
  const told = examples.map(
    ({ identifier, before, after }) => `, ${identifier} from ${shown(before)} to ${shown(after)}`,
  )
  const most = `${Math.round(allowedShare(bounds, mode, change) * 1000) / 10} %`
  return `${isSampled ? 'about ' : ''}${rows} of ${known} ${records} ${inWords[kind](column)}${told.join('')}; at most ${most} expected`
}

const shown = (value: string | null): string => (value === null ? 'nothing' : JSON.stringify(value.slice(0, 60)))
