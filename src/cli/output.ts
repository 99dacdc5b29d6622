/**
 * Output of commands: with --json one document on standard output and nothing else there, otherwise text for people.
 * Progress goes to standard error: a bar on a terminal, lines elsewhere.
 */
import { shownInstant } from '../domain/shown-instant.ts'
import { visible, visibleJson } from '../domain/visible.ts'
import { jsonText } from './answer-text.ts'
import { coloured } from './colour.ts'
import { barProgress, lineProgress, type Progress } from './progress.ts'
import { createScreen, type Screen } from './screen.ts'

export interface Output {
  readonly json: boolean
  /** Prints the result: the value as JSON, or its text. */
  answer<T>(value: T, text: (value: T) => string): void
  /** A line for programs on standard output, with or without --json. */
  line(text: string): void
  /** A line for people while work is in progress; standard error. */
  note(line: string): void
  progress(unit: string): Progress
  /** Keeps results, and notes that follow them, until the function that it returns is called. */
  hold(): () => void
}

export interface OutputOptions {
  readonly json: boolean
  readonly stdout: NodeJS.WritableStream
  readonly stderr: NodeJS.WriteStream
  readonly colour?: boolean
  /** Shared with other writers to the two streams while the command runs, such as the log. */
  readonly screen?: Screen
}

export function createOutput(options: OutputOptions): Output {
  const { json, stdout, stderr, colour = false, screen = createScreen(stdout, stderr) } = options
  const shown = (text: string) => (colour ? coloured(visible(text, layout)) : visible(text, layout))
  let held: (() => void)[] | undefined
  return {
    json,
    answer(value, text) {
      const result = json ? `${jsonText(value)}\n` : `${shown(text(value))}\n`
      if (held) held.push(() => screen.print(result))
      else screen.print(result)
    },
    line: (text) => screen.print(`${visibleJson(text)}\n`),
    note(line) {
      const text = `${visible(line, layout)}\n`
      if (held && held.length > 0) held.push(() => screen.write(text))
      else screen.write(text)
    },
    hold() {
      held = []
      return () => {
        for (const print of held ?? []) print()
        held = undefined
      }
    },
    progress: (unit) => (screen.isTerminal && !json ? barProgress(unit, stderr, screen) : lineProgress(unit, screen)),
  }
}

/** Layout characters of Panji's own texts and exports; any other invisible character came from outside. */
const layout = '\n\r\t'

/** CSV for `answer`, which adds the last line break, so that all lines of a redirected file end alike. */
export const printedCsv = (csv: string): string => csv.replace(/\n$/, '')

/**
 * Rows as columns padded to their widest cell. On a terminal they are fitted to its width: the widest columns are cut
 * and end in `…`; a file or a pipe gets them whole.
 */
export function table(
  headings: readonly string[],
  rows: readonly (readonly unknown[])[],
  width = terminalWidth(),
): string {
  const cells = [headings, ...rows.map((row) => row.map(show))]
  // Not Math.max(...), which is limited to as many arguments as the stack can hold.
  const widths = headings.map((_, column) => cells.reduce((most, row) => Math.max(most, (row[column] ?? '').length), 0))
  const shown = fitted(widths, width)
  return cells
    .map((row) =>
      row
        .map((cell, column) => cut(cell, shown[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const terminalWidth = (): number => (process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY)

const columnMin = 8
const gap = 2

/** The widest column shrinks first; none falls below a readable width. */
function fitted(widths: readonly number[], width: number): number[] {
  const wide = [...widths]
  for (;;) {
    const excess = wide.reduce((sum, each) => sum + each, gap * (wide.length - 1)) - width
    const widest = wide.reduce((most, each, column) => (each > (wide[most] ?? 0) ? column : most), 0)
    const second = wide.reduce((most, each, column) => (column === widest ? most : Math.max(most, each)), columnMin)
    const now = wide[widest] ?? 0
    if (excess <= 0 || now <= columnMin) return wide
    // Down to the next widest, or by one where the two are equal.
    wide[widest] = Math.max(columnMin, now - excess, Math.min(second, now - 1))
  }
}

const cut = (cell: string, width: number): string =>
  cell.length > width ? `${cell.slice(0, width - 1)}…` : cell.padEnd(width)

/** One `name: value` line per member; nested members follow below their name, lists of similar objects as a table. */
export function fields(value: object, width = terminalWidth()): string {
  return fieldLines(value, width).join('\n')
}

function fieldLines(value: object, width: number): string[] {
  const entries = Object.entries(value) as [string, unknown][]
  const longest = entries.reduce((most, [name, member]) => Math.max(most, isNested(member) ? 0 : name.length), 0)
  return entries.flatMap(([name, member]) => {
    if (!isNested(member)) return [`${`${visible(name)}:`.padEnd(longest + 2)}${show(member)}`]
    return [`${visible(name)}:`, ...linesWithin(member, width - gap).map((line) => `${' '.repeat(gap)}${line}`)]
  })
}

/** Rows with the same plain members form a table; others follow each other with a leading dash. */
function linesWithin(member: object, width: number): string[] {
  if (!Array.isArray(member)) return fieldLines(member, width)
  const rows = member as readonly object[]
  const names = Object.keys(rows[0] ?? {})
  const isTable = rows.every(
    (row) => Object.keys(row).join() === names.join() && !Object.values(row).some((cell) => isNested(cell)),
  )
  if (isTable) {
    const cells = rows.map((row) => Object.values(row))
    return table(
      names.map((name) => visible(name)),
      cells,
      width,
    ).split('\n')
  }
  return rows.flatMap((row) => fieldLines(row, width - gap).map((line, at) => `${at === 0 ? '- ' : '  '}${line}`))
}

/** Whether a value is printed on lines of its own; a list of strings is not. */
function isNested(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || value instanceof Date) return false
  if (Array.isArray(value)) return value.length > 0 && value.every((each) => isNested(each))
  return Object.keys(value).length > 0
}

/** As in answers and --json. */
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

function show(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (value instanceof Date) return shownInstant(value)
  if (typeof value === 'string' && instant.test(value)) return shownInstant(new Date(value))
  if (Array.isArray(value) && !value.some((each) => typeof each === 'object')) {
    return value.length === 0 ? '-' : value.map(show).join(', ')
  }
  // A cell with a line break would forge the next line.
  return visible(typeof value === 'object' ? JSON.stringify(value) : String(value))
}
