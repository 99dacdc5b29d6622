/** The next night of a register: one line in so many says something else, a status for the most part, and all others stay as they are. */
import type { Register } from './world.ts'

/** What stands in a line, and what stands there the night after; the first that occurs is taken. */
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
  // Who sits on the board leaves it.
  'mca-directorships': [[',\n', ',2026-11-20\n']],
}

export interface ChangedLines {
  of(line: string): string
  count(): number
}

/** A line that cannot change leaves its turn to the next one. */
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
