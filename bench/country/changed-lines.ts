/**
 * The next night of a register: one line in every so many is changed, mostly its status, and all others stay the same.
 */
import type { Register } from './world.ts'

/** A text in a line and its replacement the night after; the first that occurs is used. */
const turns: Readonly<Record<Register, readonly (readonly [string, string])[]>> = {
  'mca-companies': [
    [',Active,', ',Under CIRP,'],
    [',Under process of striking off,', ',Strike Off,'],
    [',Strike Off,', ',Active,'],
  ],
  'gst-taxpayers': [
    [',Active,', ',Suspended,'],
    [',Suspended,', ',Active,'],
    [',Cancelled on application of Taxpayer,', ',Cancelled suo-moto,'],
  ],
  'mca-directors': [
    [',Approved,', ',Deactivated,'],
    [',Deactivated,', ',Approved,'],
  ],
  // A director leaves the board.
  'mca-directorships': [[',\n', ',2026-11-20\n']],
}

export interface ChangedLines {
  of(line: string): string
  count(): number
}

/** If a line cannot change, the next one changes instead. */
export function changedLines(register: Register, share: number): ChangedLines {
  const every = Math.round(1 / share)
  let lines = 0
  let changed = 0
  return {
    of(line) {
      if (lines++ < changed * every + every / 2) return line
      const turn = turns[register].find(([now]) => line.includes(now))
      if (!turn) return line
      changed++
      return line.replace(...turn)
    },
    count: () => changed,
  }
}
