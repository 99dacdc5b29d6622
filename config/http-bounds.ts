/** What one connection and one address may hold of the HTTP server. Data, not code; `PANJI_CONNECTIONS_MAX` sets the first. */

export interface HttpBounds {
  /** Open connections; a further one is closed unread. Each costs a file descriptor. */
  readonly connectionsMax: number
  /** Share of them that one address may hold, unless it is a trusted proxy, behind which are many. */
  readonly shareOfAddress: number
  /** Share of them up to which each stays; beyond, a connection over which nobody was known ends for each that comes. */
  readonly shareOfRoom: number
  /** From the first byte of a request to the last of its headers. */
  readonly headersMs: number
  /** From the headers of a request to the last byte of its body, however it trickles in. */
  readonly requestMs: number
  /** The same where an operator sends a snapshot. */
  readonly uploadMs: number
  /** How often the two above are looked at: what they allow, a connection may exceed by so much. */
  readonly checkMs: number
  /** A connection at rest between two requests. */
  readonly keepAliveMs: number
  /** A connection on which no byte moves either way while an answer is due or being read. Longer than any statement may run. */
  readonly silenceMs: number
  /** Then the connection ends with its answer, so that load spreads over processes again. */
  readonly requestsPerConnection: number
  /** Requests of one connection that wait for their answers; more are refused with a 429. */
  readonly pipelinedMax: number
  /** Request line and headers together, also trailers. */
  readonly headerBytesMax: number
  /** Beyond this mean delay of the event loop over a sample, calls that can wait are answered 503. */
  readonly loopDelayMsMax: number
  /** Long enough that one pause, such as a collection of garbage, is one reading among hundreds. */
  readonly loopSampleMs: number
}

export const httpBounds: HttpBounds = {
  connectionsMax: 1_000,
  shareOfAddress: 0.5,
  shareOfRoom: 0.9,
  headersMs: 10_000,
  requestMs: 20_000,
  uploadMs: 4 * 3600 * 1000,
  checkMs: 1_000,
  // Above the 60 s for which proxies keep theirs by habit, so that it is they who close first.
  keepAliveMs: 72_000,
  silenceMs: 30_000,
  requestsPerConnection: 10_000,
  pipelinedMax: 32,
  headerBytesMax: 16_384,
  loopDelayMsMax: 3_000,
  loopSampleMs: 5_000,
}

/**
 * Calls without valid credentials, by address (IPv6 by /64): so many at once, and so many a second again. Generous,
 * for behind a proxy that is not trusted everybody is one address; calls with valid credentials never count.
 */
export const anonymousBounds = {
  failuresMax: 300,
  failuresPerSecond: 5,
  /** Addresses that are remembered; the one that was seen longest ago is forgotten. */
  addressesMax: 10_000,
  /** Credentials that nobody knows and that the database counts: so many at once, and so many that wait for their turn. */
  runningMax: 2,
  waitingMax: 64,
} as const

export interface HeldAnswerBounds {
  /** Answers to anonymous clients, of one address (IPv6: of one /64), and of all of them. */
  readonly address: { readonly atOnce: number; readonly perSecond: number; readonly keysMax: number }
  readonly inAll: { readonly atOnce: number; readonly perSecond: number }
  /** Refusals with 429 of one account. */
  readonly account: { readonly atOnce: number; readonly perSecond: number; readonly keysMax: number }
  /** /healthz and /readyz of one connection. */
  readonly probe: { readonly atOnce: number; readonly perSecond: number }
  /** A longer answer counts as so many. */
  readonly bytesPerUnit: number
  /** That an answer beyond them is held back, for each that it counts as, and at most: shorter than any caller's patience. */
  readonly heldMs: number
  readonly heldMsMax: number
}

/**
 * Answers beyond these are given later, not otherwise. Who asks one thing after the other gets about `perSecond` of
 * them; who asks on many connections at once gets one for each connection and `heldMs`.
 */
export const heldAnswerBounds: HeldAnswerBounds = {
  address: { atOnce: 600, perSecond: 100, keysMax: 10_000 },
  inAll: { atOnce: 1_000, perSecond: 300 },
  account: { atOnce: 100, perSecond: 5, keysMax: 10_000 },
  probe: { atOnce: 60, perSecond: 20 },
  bytesPerUnit: 250_000,
  heldMs: 1_000,
  heldMsMax: 10_000,
}

/**
 * Bytes of bodies that one account sends: so many at once, and so many a second again. A body is read and taken apart on the
 * event loop, which everybody shares: a mebibyte takes up to some 60 ms of it, whatever it is answered.
 */
export const bodyBounds = { atOnce: 33_554_432, perSecond: 1_048_576, keysMax: 10_000 } as const

/** A body that keeps the event loop for longer than its bytes say is charged as if it were as long: what takes `freeMs` is free. */
export const bodyLoopBounds = { freeMs: 5, msPerSecond: 50 } as const

/** A longer body is refused, but for the snapshot that an operator sends. */
export const bodyBytesMax = 1_048_576

/** Bodies beyond `smallBytesMax` of one account: so many are read at a time, and so many wait for their turn. */
export const largeBodies = { smallBytesMax: 65_536, atOnce: 2, waiting: 16 } as const

/** Conversations with customers' CRMs that a request waits for. */
export const crmTalkBounds = { inAll: 4, perAccount: 1, longestMs: 60_000 } as const

/** Of a call that is refused while load is shed. */
export const sheddingRetrySeconds = 2

/** A read of the database's state for /readyz is shared for so long, and given up after. */
export const readinessBounds = { sharedMs: 1_000, timeoutMs: 2_000 } as const

/** Streams of events that operators hold open: of one credential and of a process, and how long one lasts before it is asked for anew. */
export const eventStreamBounds = {
  perCredential: 6,
  inAll: 64,
  longestMs: 600_000,
  /** How often what is watched is looked at. */
  lookMs: 500,
  /** Something is said at least so often, below the silence that ends a connection. */
  quietMs: 10_000,
} as const
