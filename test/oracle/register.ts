/**
 * The company register as the documents promise it, row by row in maps: what runs and corrections should leave of records,
 * history and parts. It shares nothing with the product, which is compared with it.
 */

export interface OracleRow {
  readonly n: number
  readonly name: string
  readonly status: string
  readonly part: string
}
export interface OracleRun {
  readonly run: number
  readonly mode: 'snapshot' | 'delta'
  readonly day: string
}
interface Fields {
  readonly name: string
  readonly status: string
  readonly part: string
  readonly closedOn: string | null
}
interface Stored extends Fields {
  readonly day: string
  readonly firstRun: number
  readonly lastRun: number
}
interface Change {
  readonly n: number
  readonly run: number
  readonly kind: string
  readonly day: string
  readonly before: Partial<Fields> | null
  readonly after: Partial<Fields> | null
  /** The whole row that it found. */
  readonly found: Stored | null
}
interface Note {
  readonly run: number
  readonly day: string
}

const fieldNames = ['name', 'status', 'part', 'closedOn'] as const

const pick = (row: Fields, names: readonly (keyof Fields)[]): Partial<Fields> =>
  Object.fromEntries(names.map((name) => [name, row[name]]))

export class RegisterOracle {
  readonly #rows = new Map<number, Stored>()
  #changes: Change[] = []
  readonly #notes = new Map<string, Note[]>()
  readonly #runs: (OracleRun & { readonly covered: readonly string[] })[] = []
  readonly #cancelledOut = new Set<number>()

  takeIn(of: OracleRun, rows: readonly OracleRow[]): void {
    const { run, mode, day } = of
    const parts = [...new Set(rows.map(({ part }) => part))]
    const isStale = (part: string) => (this.#notes.get(part)?.at(-1)?.day ?? day) > day
    const covered = mode === 'snapshot' ? parts.filter((part) => !isStale(part)) : []
    for (const { n, ...cells } of rows) {
      const found = this.#rows.get(n)
      if (isStale(cells.part) || (found && (found.day > day || isStale(found.part)))) continue
      this.#write(n, { ...cells, closedOn: null }, of)
    }
    for (const [n, found] of this.#rows) {
      if (found.closedOn !== null || found.day > day || !covered.includes(found.part)) continue
      if (!rows.some((row) => row.n === n)) this.#write(n, { ...found, closedOn: day }, of)
    }
    for (const part of covered) this.#notes.set(part, [...(this.#notes.get(part) ?? []), { run, day }])
    this.#runs.push({ ...of, covered })
  }

  /** The runs that keep a run from being taken back alone. */
  overlaying(run: number): number[] {
    const at = this.#runs.findIndex((each) => each.run === run)
    const target = this.#runs[at]
    const touched = this.#changes.filter((change) => change.run === run).map(({ n }) => n)
    return this.#runs
      .slice(at + 1)
      .filter((later) => !this.#cancelledOut.has(later.run))
      .filter((later) =>
        touched.some((n) => {
          const part = this.#rows.get(n)?.part
          const saw = part !== undefined && later.covered.includes(part) && later.day >= (target?.day ?? '')
          return saw || this.#changes.some((change) => change.n === n && change.run === later.run)
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
    const days = this.#runs.filter(({ run }) => undone.includes(run)).map((each) => each.day)
    const day = days.toSorted().at(-1) ?? ''
    const own = this.#changes.filter(({ run }) => undone.includes(run))
    for (const n of new Set(own.map((change) => change.n))) {
      const first = own.find((change) => change.n === n)
      const present = this.#rows.get(n)
      if (!first || !present) throw new Error('a change without a record')
      const { run } = undo
      if (!first.found) {
        this.#rows.delete(n)
        this.#changes.push({
          n,
          run,
          kind: 'withdraw',
          day,
          before: pick(present, fieldNames),
          after: null,
          found: present,
        })
        continue
      }
      const changed = fieldNames.filter((name) =>
        own.some((each) => each.n === n && each.before && name in each.before),
      )
      const kind =
        (present.closedOn === null) === (first.found.closedOn === null)
          ? 'update'
          : present.closedOn === null
            ? 'close'
            : 'reopen'
      this.#rows.set(n, first.found)
      const values = { before: pick(present, changed), after: pick(first.found, changed) }
      this.#changes.push({ n, run, kind, day, ...values, found: present })
    }
    for (const [part, notes] of this.#notes) {
      this.#notes.set(
        part,
        notes.filter(({ run }) => !undone.includes(run)),
      )
    }
    for (const run of [undo.run, ...undone]) this.#cancelledOut.add(run)
  }

  lower(to: string, parts?: readonly string[]): void {
    const earlier = (day: string) => (day > to ? to : day)
    const closing = (day: string | null) => (day === null ? null : earlier(day))
    const lowered = new Set<number>()
    for (const [n, row] of this.#rows) {
      if (row.day <= to || (parts && !parts.includes(row.part))) continue
      lowered.add(n)
      this.#rows.set(n, { ...row, day: to, closedOn: closing(row.closedOn) })
    }
    const cells = (of: Partial<Fields> | null) =>
      of && of.closedOn !== undefined ? { ...of, closedOn: closing(of.closedOn) } : of
    this.#changes = this.#changes.map((change) => {
      if (!lowered.has(change.n)) return change
      const found = change.found && {
        ...change.found,
        day: earlier(change.found.day),
        closedOn: closing(change.found.closedOn),
      }
      const isLater = change.day > to
      return {
        ...change,
        found,
        day: earlier(change.day),
        before: isLater ? cells(change.before) : change.before,
        after: isLater ? cells(change.after) : change.after,
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

  prune(before: string): void {
    const old = this.#changes.filter(({ day }) => day < before)
    this.#changes = this.#changes.filter((change, at) => {
      const newer = this.#changes.slice(at + 1).filter((each) => each.n === change.n && old.includes(each))
      return change.day >= before || newer.every(({ run }) => this.#cancelledOut.has(run))
    })
  }

  records(): unknown[] {
    return [...this.#rows].toSorted(([one], [other]) => one - other).map(([n, row]) => ({ n, ...row }))
  }

  history(): unknown[] {
    return this.#changes.toSorted((one, other) => one.n - other.n).map(({ found, ...change }) => change)
  }

  parts(): unknown[] {
    return [...this.#notes]
      .flatMap(([part, notes]) => notes.slice(-1).map((note) => ({ part, ...note })))
      .toSorted((one, other) => (one.part < other.part ? -1 : 1))
  }

  #write(n: number, fields: Fields, { run, day }: OracleRun): void {
    const found = this.#rows.get(n) ?? null
    const changed = fieldNames.filter((name) => found?.[name] !== fields[name])
    if (found && changed.length === 0) return
    const { name, status, part, closedOn } = fields
    this.#rows.set(n, { name, status, part, closedOn, day, firstRun: found?.firstRun ?? run, lastRun: run })
    const kind = !found ? 'insert' : closedOn !== null ? 'close' : found.closedOn !== null ? 'reopen' : 'update'
    const values = found
      ? { before: pick(found, changed), after: pick(fields, changed) }
      : { before: null, after: null }
    this.#changes.push({ n, run, kind, day, ...values, found })
  }
}
