/**
 * Files that are written at the same time take turns: however many there are, one of them encodes a chunk between two
 * looks at the network. Timers of Node run all that wait at once, so each would be short and all of them together long.
 */
const waiting: (() => void)[] = []
let isArmed = false

/** Resolves in a turn of the event loop of its own. */
export function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    arm()
  })
}

function arm(): void {
  if (isArmed) return
  isArmed = true
  setImmediate(() => {
    isArmed = false
    waiting.shift()?.()
    if (waiting.length > 0) arm()
  })
}
