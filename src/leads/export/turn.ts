/**
 * Concurrent exports take turns: however many there are, only one of them encodes a chunk per turn of the event loop.
 * Node runs all due timers at once, so chunks that are short each would block it for long together.
 */
const waiting: (() => void)[] = []
let isArmed = false

/** Resolves in an event-loop turn of its own. */
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
