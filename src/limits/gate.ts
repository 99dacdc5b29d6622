/**
 * A bounded number of places with a queue, shared fairly by keys: each key waits in a line of its own, free places go to
 * the lines in turn, and some places may be reserved, which keys without a right to them leave free together, however many
 * they are. Whoever finds no place, and no room to wait for one, is refused.
 *
 * It counts what one process does; several processes are bounded together by their places' sum.
 */
export interface GateSize {
  readonly places: number
  /** Of these, left to shares that take the reserve; no key holds so many that fewer are left. One place is always anybody's. */
  readonly reserved?: number
  /** How many may wait, all keys together; where there is a reserve, those without a right to it three quarters of them. */
  readonly waiting?: number
  /** Whoever has waited for so long is refused; without it, nobody. */
  readonly waitSeconds?: number
}

/** What one key may hold. */
export interface Share {
  readonly atOnce: number
  /** How many may wait for their turn; none when unset. */
  readonly waiting?: number
  readonly takesReserve?: boolean
}

/** Gives the place back; once. */
export type Leave = () => void

export interface Refused {
  /** All that the key may hold, or have waiting; all that there is; or no place came free in time. */
  readonly full: 'share' | 'gate' | 'late'
  /** By how long places are held, from 1 to 30. */
  readonly retryAfterSeconds: number
}

export interface Waiting {
  readonly signal?: AbortSignal
  /** Waits for its turn however long that takes, and is never refused; the caller bounds how many do. */
  readonly patient?: boolean
}

export interface Gate<Key> {
  /** Without waiting. */
  tryEnter(key: Key, share: Share): Leave | Refused
  /** @throws the signal's reason when it aborts before there was a place. */
  enter(key: Key, share: Share, waiting?: Waiting): Promise<Leave | Refused>
  usage(): GateUsage
}

export interface GateUsage {
  readonly running: number
  readonly waiting: number
  /** Since the start. */
  readonly refused: number
}

export const isRefused = (entered: Leave | Refused): entered is Refused => typeof entered !== 'function'

interface Line {
  running: number
  share: Share
  readonly waiting: Set<(leave: Leave) => void>
}

export function createGate<Key = string>(size: GateSize): Gate<Key> {
  const { places, reserved = 0, waiting: waitingMax = Number.POSITIVE_INFINITY, waitSeconds } = size
  const modestMax = Math.max(1, places - reserved)
  const modestWaitingMax = reserved > 0 ? Math.floor(waitingMax * 0.75) : waitingMax
  /** In the order of their turns: a line that was served goes to the end. */
  const lines = new Map<Key, Line>()
  let running = 0
  /** Of these, without a right to the reserve. */
  let modest = 0
  let waiting = 0
  let refused = 0
  /** Moving average of how long a place is held. */
  let heldMs = 500

  const mayRun = ({ running: own, share }: Line): boolean =>
    own < Math.min(share.atOnce, modestMax) && running < places && (share.takesReserve === true || modest < modestMax)

  function lineOf(key: Key, share: Share): Line {
    const line = lines.get(key) ?? { running: 0, share, waiting: new Set() }
    line.share = share
    return line
  }

  function take(key: Key, line: Line): Leave {
    const since = performance.now()
    const isModest = line.share.takesReserve !== true
    running += 1
    if (isModest) modest += 1
    line.running += 1
    lines.delete(key)
    lines.set(key, line)
    let left = false
    return () => {
      if (left) return
      left = true
      running -= 1
      if (isModest) modest -= 1
      line.running -= 1
      heldMs += (performance.now() - since - heldMs) / 8
      forget(key, line)
      serve()
    }
  }

  function forget(key: Key, line: Line): void {
    if (line.running === 0 && line.waiting.size === 0) lines.delete(key)
  }

  function serve(): void {
    while (waiting > 0) {
      const next = [...lines].find(([, line]) => line.waiting.size > 0 && mayRun(line))
      if (!next) return
      const [key, line] = next
      const [first] = line.waiting
      if (!first) return
      first(take(key, line))
    }
  }

  function refusal(full: Refused['full']): Refused {
    refused += 1
    const seconds = Math.ceil((heldMs * (waiting + 1)) / places / 1000)
    return { full, retryAfterSeconds: Math.min(30, Math.max(1, seconds)) }
  }

  function whyNotWait({ share, waiting: own }: Line): Refused['full'] | undefined {
    if (own.size >= (share.waiting ?? 0)) return 'share'
    if (waiting >= (share.takesReserve === true ? waitingMax : modestWaitingMax)) return 'gate'
    return undefined
  }

  function wait(key: Key, line: Line, { signal, patient = false }: Waiting): Promise<Leave | Refused> {
    return new Promise((resolve, reject) => {
      const withdraw = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', aborted)
        if (line.waiting.delete(settle)) waiting -= 1
        forget(key, line)
      }
      const settle = (leave: Leave) => {
        withdraw()
        resolve(leave)
      }
      const aborted = () => {
        withdraw()
        reject(signal?.reason)
      }
      const late = () => {
        withdraw()
        resolve(refusal('late'))
      }
      const timer = patient || waitSeconds === undefined ? undefined : setTimeout(late, waitSeconds * 1000)
      signal?.addEventListener('abort', aborted, { once: true })
      lines.set(key, line)
      line.waiting.add(settle)
      waiting += 1
    })
  }

  return {
    tryEnter(key, share) {
      const line = lineOf(key, share)
      if (line.waiting.size === 0 && mayRun(line)) return take(key, line)
      return refusal(line.running >= share.atOnce ? 'share' : 'gate')
    },
    async enter(key, share, options = {}) {
      options.signal?.throwIfAborted()
      const line = lineOf(key, share)
      if (line.waiting.size === 0 && mayRun(line)) return take(key, line)
      const why = options.patient === true ? undefined : whyNotWait(line)
      return why === undefined ? wait(key, line, options) : refusal(why)
    },
    usage: () => ({ running, waiting, refused }),
  }
}
