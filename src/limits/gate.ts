/**
 * A bounded number of slots with a queue, shared fairly by keys: each key has its own queue, free slots go to the
 * queues in turn, and some slots may be reserved, which keys without a right to them leave free together, however many
 * they are. A caller without a slot, and without space in the queue, is refused.
 *
 * It limits one process; for several processes the limits add up.
 */
export interface GateSize {
  readonly places: number
  /**
   * Of these, reserved for shares that may use the reserve; no key holds so many that fewer are left. One slot is
   * always open to all.
   */
  readonly reserved?: number
  /** Maximum waiting callers of all keys; with a reserve, those without a right to it may be three quarters of them. */
  readonly waiting?: number
  /** A caller that waited this long is refused; without it, none is. */
  readonly waitSeconds?: number
}

/** What one key may hold. */
export interface Share {
  readonly atOnce: number
  /** How many may wait for their turn; none when unset. */
  readonly waiting?: number
  readonly takesReserve?: boolean
}

/** Releases the slot; once. */
export type Leave = () => void

export interface Refused {
  /** Why there is no slot: the key's share is used up, all are, or none was free in time. */
  readonly full: 'share' | 'gate' | 'late'
  /** Derived from how long slots are held, from 1 to 30. */
  readonly retryAfterSeconds: number
}

export interface Waiting {
  readonly signal?: AbortSignal
  /** Waits for its turn as long as necessary, and is never refused; the caller limits how many do. */
  readonly patient?: boolean
}

export interface Gate<Key> {
  /** Without waiting. */
  tryEnter(key: Key, share: Share): Leave | Refused
  /** @throws the signal's reason when it aborts before a slot is free. */
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
  /** In the order of their turns: a queue that was served goes to the end. */
  const lines = new Map<Key, Line>()
  let running = 0
  /** Of these, without a right to the reserve. */
  let modest = 0
  let waiting = 0
  let refused = 0
  /** Moving average of how long a slot is held. */
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
