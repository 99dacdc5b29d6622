/**
 * A register as the documents promise it, record by record in maps: what runs and corrections should leave of records,
 * history and partitions. It shares nothing with the product, which is compared with it.
 */

export type Cells = Readonly<Record<string, unknown>>
export interface OracleRow {
  readonly id: string
  /** The columns that the file carries. */
  readonly cells: Cells
  /** What an identifier says by itself: taken where the register has nothing. */
  readonly fills?: Cells
  /** Column → the one that it is read of: where the register has that one as the file has it, the column stays, empty ones only where told so. */
  readonly follows?: Readonly<Record<string, { readonly of: string; readonly even: boolean }>>
  /** Column → the one beside it, and the word: where that one turns to the word, the column is empty. */
  readonly removed?: Readonly<Record<string, { readonly column: string; readonly word: string }>>
  /** Column → what stands between its pieces, or the list that may have them: where the register has them all, the column stays. */
  readonly pieces?: Readonly<
    Record<string, { readonly separator: string | undefined; readonly among: string | undefined }>
  >
}
export interface OracleRun {
  readonly run: number
  readonly mode: 'snapshot' | 'delta'
  readonly day: string
}
/** Column → the values of it that a row has. */
export type NamedParts = ReadonlyMap<string, ReadonlySet<string>>
interface Stored {
  readonly cells: Cells
  readonly closedOn: string | null
  readonly day: string
  readonly firstRun: number
  readonly lastRun: number
}
interface Change {
  readonly id: string
  readonly run: number
  readonly kind: string
  readonly day: string
  readonly before: Cells | null
  readonly after: Cells | null
  /** The whole row that it found and the one that it left. */
  readonly found: Stored | null
  readonly left: Stored | null
}
interface Note {
  readonly run: number
  readonly day: string
  /** The run whose content a run found known: falls that one, so does what rested upon it. */
  readonly restsOn?: number
}
type OracleRunOfPart = Pick<Note, 'run' | 'day'>
interface TakenRun extends OracleRun {
  readonly covered: readonly string[]
}
export interface Counts {
  inserted: number
  updated: number
  unchanged: number
  skipped: number
  closed: number
}

/** The column `closed_on` stands beside the others in a history. */
const whole = ({ cells, closedOn }: Pick<Stored, 'cells' | 'closedOn'>): Cells => ({ ...cells, closed_on: closedOn })
const pick = (cells: Cells, names: readonly string[]): Cells =>
  Object.fromEntries(names.map((name) => [name, cells[name] ?? null]))
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
const changedIn = (one: Cells, other: Cells): string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((name) => !isSame(one[name], other[name]))
const inOrder = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

const piecesOf = (value: unknown, separator: string | undefined): readonly unknown[] => {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value
  return separator === undefined ? [value] : String(value).split(separator)
}

/** What a row leaves of a record. */
function merged({ cells, fills = {}, follows = {}, removed = {}, pieces = {} }: OracleRow, found: Cells): Cells {
  const filled = Object.entries(fills).filter(([name]) => (found[name] ?? null) === null)
  const followed = Object.entries(follows).filter(
    ([name, { of, even }]) => isSame(found[of], cells[of]) && (even || (found[name] ?? null) !== null),
  )
  const known = Object.entries(pieces).filter(([name, { separator, among = name }]) => {
    const before = piecesOf(found[among], separator)
    return piecesOf(cells[name], separator).every((piece) => before.includes(piece))
  })
  const emptied = Object.entries(removed).flatMap(([name, { column, word }]) => {
    const before = found[column] ?? null
    return before !== null && before !== word && cells[column] === word ? [[name, null]] : []
  })
  const kept = [...followed, ...known].map(([name]) => [name, found[name] ?? null])
  return { ...found, ...Object.fromEntries(filled), ...cells, ...Object.fromEntries([...kept, ...emptied]) }
}

export class RegisterOracle {
  #rows = new Map<string, Stored>()
  #changes: Change[] = []
  #notes = new Map<string, Note[]>()
  /** The newest delta that found an open record as it stood, later than anything that the register knew of it. */
  #confirmations = new Map<string, OracleRunOfPart>()
  #runs: TakenRun[] = []
  #cancelledOut = new Set<number>()
  readonly #columns: readonly string[]
  readonly #scope: string | undefined

  /** @param scope the one of the columns that cuts the register into partitions. */
  constructor(columns: readonly string[], scope?: string) {
    this.#columns = columns
    this.#scope = scope
  }

  /** To see what would be, without it. */
  copy(): RegisterOracle {
    const other = new RegisterOracle(this.#columns, this.#scope)
    other.#rows = new Map(this.#rows)
    other.#changes = [...this.#changes]
    other.#notes = new Map(this.#notes)
    other.#confirmations = new Map(this.#confirmations)
    other.#runs = [...this.#runs]
    other.#cancelledOut = new Set(this.#cancelledOut)
    return other
  }

  #partOf(cells: Cells | undefined): string | null {
    if (this.#scope === undefined) return '*'
    const part = cells?.[this.#scope] ?? null
    return part === null ? null : String(part)
  }

  knows(id: string): boolean {
    return this.#rows.has(id)
  }

  /** The parts of which a file tells. */
  #partsOf(rows: readonly OracleRow[]): string[] {
    if (this.#scope === undefined) return ['*']
    const carried = rows.filter(({ cells }) => this.#scope !== undefined && this.#scope in cells)
    return [...new Set(carried.flatMap(({ cells }) => this.#partOf(cells) ?? []))]
  }

  #isStale(part: string | null, day: string): boolean {
    return part !== null && (this.#notes.get(part)?.at(-1)?.day ?? day) > day
  }

  /** The day as of which a record is known. */
  #dayOf(id: string, { day }: Pick<Stored, 'day'>): string {
    const confirmed = this.#confirmations.get(id)?.day ?? day
    return confirmed > day ? confirmed : day
  }

  /** Whether all that a file tells of was seen as of a later day. */
  isStale({ day }: Pick<OracleRun, 'day'>, rows: readonly OracleRow[]): boolean {
    const parts = this.#partsOf(rows)
    return parts.length > 0 && parts.every((part) => this.#isStale(part, day))
  }

  /** A whole file whose content the register holds already: its parts were seen as of its day. */
  find(of: OracleRun, rows: readonly OracleRow[], restsOn: number): void {
    if (of.mode === 'delta') return
    for (const part of this.#partsOf(rows)) {
      if (this.#isStale(part, of.day)) continue
      this.#notes.set(part, [...(this.#notes.get(part) ?? []), { run: of.run, day: of.day, restsOn }])
    }
  }

  /** @param alsoSeen records of which a rejected row tells, by identifier or by parts of it. */
  takeIn(of: OracleRun, rows: readonly OracleRow[], alsoSeen: readonly (string | NamedParts)[] = []): Counts {
    const { mode, day } = of
    const counts = { inserted: 0, updated: 0, unchanged: 0, skipped: 0, closed: 0 }
    const isStale = (part: string | null) => this.#isStale(part, day)
    const covered = mode === 'snapshot' ? this.#partsOf(rows).filter((part) => !isStale(part)) : []
    for (const row of rows) {
      const { id } = row
      const found = this.#rows.get(id)
      const next = pick(found ? merged(row, found.cells) : { ...row.fills, ...row.cells }, this.#columns)
      if (
        isStale(this.#partOf(next)) ||
        (found && (this.#dayOf(id, found) > day || isStale(this.#partOf(found.cells))))
      ) {
        counts.skipped += 1
        continue
      }
      const isChanged = this.#write(id, next, null, of)
      if (mode === 'delta' && found && !isChanged) this.#confirm(id, found, of)
      counts[!isChanged ? 'unchanged' : found ? 'updated' : 'inserted'] += 1
    }
    const seen = new Set([...rows.map(({ id }) => id), ...alsoSeen.filter((each) => typeof each === 'string')])
    const parts = alsoSeen.filter((each) => typeof each !== 'string')
    const isNamed = (cells: Cells) =>
      parts.some((each) => [...each].every(([column, values]) => values.has(String(cells[column] ?? ''))))
    for (const [id, found] of this.#rows) {
      const part = this.#partOf(found.cells)
      if (found.closedOn !== null || this.#dayOf(id, found) > day || part === null || !covered.includes(part)) continue
      if (seen.has(id) || isNamed(found.cells)) continue
      this.#write(id, found.cells, day, of)
      counts.closed += 1
    }
    for (const part of covered) this.#notes.set(part, [...(this.#notes.get(part) ?? []), { run: of.run, day }])
    this.#runs.push({ ...of, covered })
    return counts
  }

  /** The runs that keep a run from being taken back alone. */
  overlaying(run: number): number[] {
    const at = this.#runs.findIndex((each) => each.run === run)
    const target = this.#runs[at]
    const touched = this.#changes.filter((change) => change.run === run).map(({ id }) => id)
    return this.#runs
      .slice(at + 1)
      .filter((later) => !this.#cancelledOut.has(later.run))
      .filter((later) =>
        touched.some((id) => {
          const part = this.#partOf(this.#rows.get(id)?.cells)
          const saw = part !== null && later.covered.includes(part) && later.day >= (target?.day ?? '')
          const confirmed = this.#confirmations.get(id)?.run === later.run
          return saw || confirmed || this.#changes.some((change) => change.id === id && change.run === later.run)
        }),
      )
      .map((later) => later.run)
  }

  /** The run and, where told so, all that stand after it, the newest first. */
  taken(run: number, through: boolean): number[] {
    const at = this.#runs.findIndex((each) => each.run === run)
    const standing = this.#runs.slice(at).filter((each) => !this.#cancelledOut.has(each.run))
    return (through ? standing : standing.slice(0, 1)).map((each) => each.run).toReversed()
  }

  takeBack(undo: { readonly run: number }, undone: readonly number[]): void {
    const { run } = undo
    const days = this.#runs.filter((each) => undone.includes(each.run)).map((each) => each.day)
    const day = days.toSorted().at(-1) ?? ''
    const own = this.#changes.filter((change) => undone.includes(change.run))
    for (const id of new Set(own.map((change) => change.id))) {
      const first = own.find((change) => change.id === id)
      const present = this.#rows.get(id)
      if (!first || !present) throw new Error('a change without a record')
      const now = whole(present)
      const { found } = first
      if (!found) {
        this.#rows.delete(id)
        this.#changes.push({
          ...{ id, run, kind: 'withdraw', day, before: now, after: null },
          found: present,
          left: null,
        })
        continue
      }
      const changed = Object.keys(now).filter((name) =>
        own.some((each) => each.id === id && each.before && name in each.before),
      )
      const isClosed = (row: Stored) => row.closedOn !== null
      const kind = isClosed(present) === isClosed(found) ? 'update' : isClosed(present) ? 'reopen' : 'close'
      this.#rows.set(id, found)
      const values = { before: pick(now, changed), after: pick(whole(found), changed) }
      this.#changes.push({ id, run, kind, day, ...values, found: present, left: found })
    }
    for (const [part, notes] of this.#notes) {
      this.#notes.set(
        part,
        notes.filter((note) => !undone.includes(note.run) && !undone.includes(note.restsOn ?? run)),
      )
    }
    this.#forgetConfirmations((confirmed) => undone.includes(confirmed))
    for (const each of [run, ...undone]) this.#cancelledOut.add(each)
  }

  #confirm(id: string, found: Stored, { run, day }: OracleRun): void {
    const part = this.#partOf(found.cells)
    const seen = part === null ? undefined : this.#notes.get(part)?.at(-1)?.day
    if (day > this.#dayOf(id, found) && !(seen !== undefined && seen >= day)) this.#confirmations.set(id, { run, day })
  }

  #forgetConfirmations(of: (run: number) => boolean): void {
    for (const [id, { run }] of this.#confirmations) if (of(run)) this.#confirmations.delete(id)
  }

  /** Records that the sample brought and no other run that stands has confirmed go with their history; its days go with them. */
  removeSample(sampled: readonly number[]): void {
    for (const [id, row] of this.#rows) {
      if (!sampled.includes(row.firstRun)) continue
      const isConfirmed = this.#changes.some(
        (change) =>
          change.id === id &&
          !sampled.includes(change.run) &&
          change.kind !== 'close' &&
          !this.#cancelledOut.has(change.run),
      )
      const inDelta = this.#confirmations.get(id)
      if (isConfirmed || (inDelta && !sampled.includes(inDelta.run)) || this.#isSeenWhole(id, row, sampled)) continue
      this.#rows.delete(id)
      this.#changes = this.#changes.filter((change) => change.id !== id)
    }
    this.#forgetConfirmations((run) => sampled.includes(run))
    for (const [part, notes] of this.#notes) {
      this.#notes.set(
        part,
        notes.filter(({ run, restsOn = run }) => !sampled.includes(run) && !sampled.includes(restsOn)),
      )
    }
    this.#runs = this.#runs.filter(({ run }) => !sampled.includes(run) || this.hasChanged(run))
  }

  /** An open record that a real whole file of its partition found, after the sample had last written it. */
  #isSeenWhole(id: string, row: Stored, sampled: readonly number[]): boolean {
    const part = this.#partOf(row.cells)
    const wrote = (run: number) => this.#changes.some((change) => change.id === id && change.run === run)
    const since = this.#runs.findLastIndex(({ run }) => sampled.includes(run) && wrote(run))
    return (
      row.closedOn === null &&
      part !== null &&
      this.#runs
        .slice(since + 1)
        .filter(({ run }) => !sampled.includes(run) && !this.#cancelledOut.has(run))
        .some(({ covered, day }) => covered.includes(part) && day >= row.day)
    )
  }

  /** Whether anything of what a run changed is left in the history. */
  hasChanged(run: number): boolean {
    return this.#changes.some((change) => change.run === run)
  }

  lower(to: string, parts?: readonly string[]): void {
    const earlier = (day: string) => (day > to ? to : day)
    const closing = (day: string | null) => (day === null ? null : earlier(day))
    const lowered = new Set<string>()
    const lower = (row: Stored | null): Stored | null =>
      row && { ...row, day: earlier(row.day), closedOn: closing(row.closedOn) }
    for (const [id, row] of this.#rows) {
      const part = this.#partOf(row.cells)
      if (parts && (part === null || !parts.includes(part))) continue
      const confirmed = this.#confirmations.get(id)
      if (confirmed) this.#confirmations.set(id, { ...confirmed, day: earlier(confirmed.day) })
      if (row.day <= to) continue
      lowered.add(id)
      this.#rows.set(id, { ...row, day: to, closedOn: closing(row.closedOn) })
    }
    const values = (cells: Cells | null): Cells | null => {
      const closedOn = cells?.['closed_on']
      return typeof closedOn === 'string' ? { ...cells, closed_on: earlier(closedOn) } : cells
    }
    this.#changes = this.#changes.map((change) => {
      if (!lowered.has(change.id)) return change
      const isLater = change.day > to
      return {
        ...change,
        found: lower(change.found),
        left: lower(change.left),
        day: earlier(change.day),
        before: isLater ? values(change.before) : change.before,
        after: isLater ? values(change.after) : change.after,
      }
    })
    for (const [part, notes] of this.#notes) {
      if (parts && !parts.includes(part)) continue
      this.#notes.set(
        part,
        notes.map((note) => ({ ...note, day: earlier(note.day) })),
      )
    }
  }

  /** The newest change of a record stays, and with it what no change that is in effect has superseded. */
  prune(before: string): void {
    const old = this.#changes.filter(({ day }) => day < before)
    this.#changes = this.#changes.filter((change, at) => {
      const newer = this.#changes.slice(at + 1).filter((each) => each.id === change.id && old.includes(each))
      return change.day >= before || newer.every(({ run }) => this.#cancelledOut.has(run))
    })
  }

  /** Part → its open records. */
  openByPart(): ReadonlyMap<string, number> {
    const open = new Map<string, number>()
    for (const { cells, closedOn } of this.#rows.values()) {
      const part = this.#partOf(cells)
      if (part !== null && closedOn === null) open.set(part, (open.get(part) ?? 0) + 1)
    }
    return open
  }

  /** Part → the records that a run closed. */
  closedBy(run: number): ReadonlyMap<string, number> {
    const closed = new Map<string, number>()
    for (const change of this.#changes) {
      const part = this.#partOf(change.found?.cells)
      if (change.run === run && change.kind === 'close' && part !== null) closed.set(part, (closed.get(part) ?? 0) + 1)
    }
    return closed
  }

  records(): unknown[] {
    return [...this.#rows]
      .toSorted(([one], [other]) => inOrder(one, other))
      .map(([id, { cells, closedOn, ...of }]) => ({ id, ...of, cells: { ...cells, closed_on: closedOn } }))
  }

  /** What was seen on a day: the last change up to it of those that stand. */
  asOf(day: string): unknown[] {
    const left = new Map<string, Stored>()
    for (const change of this.#changes) {
      if (change.day <= day && change.left && !this.#cancelledOut.has(change.run)) left.set(change.id, change.left)
    }
    return [...left].toSorted(([one], [other]) => inOrder(one, other)).map(([id, row]) => ({ id, cells: whole(row) }))
  }

  history(): unknown[] {
    return this.#changes.toSorted((one, other) => inOrder(one.id, other.id)).map(({ found, left, ...change }) => change)
  }

  parts(): (OracleRunOfPart & { readonly part: string })[] {
    return [...this.#notes]
      .flatMap(([part, notes]) => notes.slice(-1).map(({ run, day }) => ({ part, run, day })))
      .toSorted((one, other) => inOrder(one.part, other.part))
  }

  #write(id: string, cells: Cells, closedOn: string | null, { run, day }: OracleRun): boolean {
    const found = this.#rows.get(id) ?? null
    const next = whole({ cells, closedOn })
    const changed = found ? changedIn(whole(found), next) : []
    if (found && changed.length === 0) return false
    const left = { cells, closedOn, day, firstRun: found?.firstRun ?? run, lastRun: run }
    this.#rows.set(id, left)
    const kind = !found ? 'insert' : closedOn !== null ? 'close' : found.closedOn !== null ? 'reopen' : 'update'
    const values = found
      ? { before: pick(whole(found), changed), after: pick(next, changed) }
      : { before: null, after: null }
    this.#changes.push({ id, run, kind, day, ...values, found, left })
    return true
  }
}
