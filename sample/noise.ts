/**
 * The noise of the registries as data: how often each kind occurs, measured in real snapshots where available. A row
 * defect affects a whole row and its identifier, and other files must agree with it; a cell defect affects one cell
 * of one file.
 */
import { Random, type StreamKey } from './random.ts'

/** Shares of rows, by file and kind. A scale of 1 injects them as they are. */
export const noiseRates = {
  'mca-companies': {
    malformed_cin: 0.0001,
    duplicate_row: 0.0005,
    year_differs: 0.0004,
    foreign_state_letters: 0.0001,
    pin_zero: 0.074,
    pin_na: 0.0026,
    na_segment: 0.029,
    runs_of_spaces: 0.79,
    district_missing: 0.37,
    quote_inside: 0.0001,
    mojibake: 0.0006,
    /** Among names longer than 40 characters whose 40th falls inside PRIVATE. */
    name_broken_at_40: 0.026,
    accented_letter: 0.0001,
    edge_space: 0.0019,
    paid_up_above_authorised: 0.0013,
    zero_capital: 0.099,
  },
  'gst-taxpayers': {
    wrong_check_digit: 0.0005,
    duplicate_row: 0.0005,
    leading_space_in_pin: 0.01,
    pin_zero: 0.002,
    runs_of_spaces: 0.05,
    quote_inside: 0.0005,
    mojibake: 0.0006,
    accented_letter: 0.0001,
    edge_space: 0.002,
  },
  'mca-directors': {
    duplicate_row: 0.0005,
    /** Among numbers that begin with a zero. */
    lost_leading_zeros: 0.05,
    pin_zero: 0.02,
    runs_of_spaces: 0.1,
    mojibake: 0.0006,
    accented_letter: 0.0005,
    edge_space: 0.002,
  },
  'mca-directorships': { duplicate_row: 0.0005, lost_leading_zeros: 0.05 },
  contacts: { duplicate_row: 0.0005 },
} as const

export type SampleSource = keyof typeof noiseRates
export type NoiseKind<S extends SampleSource> = keyof (typeof noiseRates)[S] & string

/** Injects cell defects and counts them; `occurs` counts only what the caller then applies. */
export interface CellDefects<K extends string> {
  occurs(random: Random, kind: K): boolean
  count(kind: K): void
  readonly injected: Readonly<Record<string, number>>
}

export function cellDefectsOf<S extends SampleSource>(source: S, scale: number): CellDefects<NoiseKind<S>> {
  const rates: Readonly<Record<string, number>> = noiseRates[source]
  const injected: Record<string, number> = Object.fromEntries(Object.keys(rates).map((kind) => [kind, 0]))
  const count = (kind: string) => {
    injected[kind] = (injected[kind] ?? 0) + 1
  }
  return {
    injected,
    count,
    occurs(random, kind) {
      if (!random.chance(Math.min(1, (rates[kind] ?? 0) * scale))) return false
      count(kind)
      return true
    },
  }
}

/** The defect of the row at an index; `duplicate_row` repeats the row before it. */
export type RowDefects<K extends string> = (index: number) => K | 'clean'

/** A duplicate only follows a clean row, so that each one costs the reader exactly one row. */
export function rowDefectsOf<K extends string>(
  key: StreamKey,
  scale: number,
  rates: Readonly<Record<K, number>>,
): RowDefects<K> {
  const random = new Random()
  const entries = Object.entries(rates) as [K, number][]
  const drawn = (index: number): K | 'clean' => {
    let draw = random.reseed(key, index).unit()
    for (const [kind, rate] of entries) {
      draw -= Math.min(0.2, rate * scale)
      if (draw < 0) return kind
    }
    return 'clean'
  }
  return (index) => {
    const rowDefect = drawn(index)
    if (rowDefect !== 'duplicate_row') return rowDefect
    return index > 0 && drawn(index - 1) === 'clean' ? rowDefect : 'clean'
  }
}
