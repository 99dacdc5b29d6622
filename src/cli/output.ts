/**
 * How commands speak: with --json one document on standard output and nothing else there, otherwise text for people.
 * Progress goes to standard error: a bar on a terminal, lines elsewhere.
 */
import { Presets, SingleBar } from 'cli-progress'

export interface Progress {
  /** `total` 0 means unknown. Rates and time left are derived. */
  update(step: string, done: number, total: number): void
  end(): void
}

export interface Output {
  readonly json: boolean
  /** Prints the answer: the value as JSON, or the text made of it. */
  answer<T>(value: T, text: (value: T) => string): void
  /** A line for people while work goes on; standard error. */
  note(line: string): void
  progress(unit: string): Progress
}

export function createOutput(json: boolean, stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): Output {
  return {
    json,
    answer: (value, text) => void stdout.write(json ? `${JSON.stringify(value, undefined, 2)}\n` : `${text(value)}\n`),
    note: (line) => void stderr.write(`${line}\n`),
    progress: (unit) => (stderr.isTTY && !json ? barProgress(unit, stderr) : lineProgress(unit, stderr)),
  }
}

function barProgress(unit: string, stream: NodeJS.WriteStream): Progress {
  const bar = new SingleBar(
    {
      stream,
      hideCursor: true,
      clearOnComplete: false,
      etaBuffer: 50,
      format: `{step} {bar} {percentage}% {value}/{total} ${unit}, {rate}/s, {eta_formatted} left`,
    },
    Presets.shades_classic,
  )
  let started = 0
  return {
    update(step, done, total) {
      if (started === 0) {
        started = performance.now()
        bar.start(Math.max(total, done, 1), done, { step, rate: 0 })
      }
      bar.setTotal(Math.max(total, done, 1))
      bar.update(done, {
        step: step.padEnd(10),
        rate: Math.round(done / Math.max(0.001, (performance.now() - started) / 1000)),
      })
    },
    end: () => bar.stop(),
  }
}

/** A line when the step changes, and every five seconds within one. */
function lineProgress(unit: string, stream: NodeJS.WriteStream): Progress {
  let lastStep = ''
  let lastAt = 0
  return {
    update(step, done, total) {
      const now = performance.now()
      if (step === lastStep && now - lastAt < 5_000) return
      lastStep = step
      lastAt = now
      stream.write(`${step}${done > 0 ? ` ${done}${total > 0 ? `/${total}` : ''} ${unit}` : ''}\n`)
    },
    end: () => {},
  }
}

/** Rows as columns padded to their widest cell. */
export function table(headings: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const cells = [headings, ...rows.map((row) => row.map(show))]
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)))
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** One `name: value` line per member. */
export function fields(value: object): string {
  const entries = Object.entries(value)
  const width = Math.max(0, ...entries.map(([name]) => name.length))
  return entries.map(([name, member]) => `${`${name}:`.padEnd(width + 2)}${show(member)}`).join('\n')
}

function show(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
