/**
 * What one connection and one address may use of the HTTP server. Data, not code; `PANJI_CONNECTIONS_MAX` sets the
 * first.
 */

export interface HttpBounds {
  /** Open connections; a further one is closed unread. Each uses a file descriptor. */
  readonly connectionsMax: number
  /** Share of them that one address may have, unless it is a trusted proxy, which serves many clients. */
  readonly shareOfAddress: number
  /** Share of them up to which all stay open; beyond it, each new connection closes one that never authenticated. */
  readonly shareOfRoom: number
  /** From the first byte of a request to the end of its headers. */
  readonly headersMs: number
  /** From the headers of a request to the last byte of its body, however slowly it arrives. */
  readonly requestMs: number
  /** The same when an operator uploads a snapshot. */
  readonly uploadMs: number
  /** How often these two limits are checked, so a connection may exceed them by this much. */
  readonly checkMs: number
  /** An idle connection between two requests. */
  readonly keepAliveMs: number
  /** No byte in either direction while a response is pending or being read. Longer than any statement may run. */
  readonly silenceMs: number
  /** The connection is closed after this many requests, so that load is balanced over processes again. */
  readonly requestsPerConnection: number
  /** Requests of one connection that wait for their responses; further ones get a 429. */
  readonly pipelinedMax: number
  /** Request line and headers together; also trailers. */
  readonly headerBytesMax: number
  /** If the event loop's mean delay over a sample exceeds this, requests that can wait get a 503. */
  readonly loopDelayMsMax: number
  /** Long enough that a single pause, such as garbage collection, is one reading among hundreds. */
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
  // Longer than the usual 60 s of proxies, so that they close first.
  keepAliveMs: 72_000,
  silenceMs: 30_000,
  requestsPerConnection: 10_000,
  pipelinedMax: 32,
  headerBytesMax: 16_384,
  loopDelayMsMax: 3_000,
  loopSampleMs: 5_000,
}

/**
 * Requests without valid credentials, by address (IPv6 by /64): a burst, and a rate per second. Generous, since all
 * clients behind an untrusted proxy share one address. Requests with valid credentials never count.
 */
export const anonymousBounds = {
  failuresMax: 300,
  failuresPerSecond: 5,
  /** Addresses remembered; the least recently seen is forgotten. */
  addressesMax: 10_000,
  /** Unknown credentials looked up in the database: how many concurrently, and how many may wait. */
  runningMax: 2,
  waitingMax: 64,
} as const

export interface HeldAnswerBounds {
  /** Responses to anonymous clients: per address (IPv6 by /64), and over all addresses. */
  readonly address: { readonly atOnce: number; readonly perSecond: number; readonly keysMax: number }
  readonly inAll: { readonly atOnce: number; readonly perSecond: number }
  /** 429 responses per account. */
  readonly account: { readonly atOnce: number; readonly perSecond: number; readonly keysMax: number }
  /** /healthz and /readyz per connection. */
  readonly probe: { readonly atOnce: number; readonly perSecond: number }
  /** A longer response counts once per this many bytes. */
  readonly bytesPerUnit: number
  /** Delay per unit beyond the limit, and at most; shorter than any client's timeout. */
  readonly heldMs: number
  readonly heldMsMax: number
}

/**
 * Responses beyond these limits are delayed, not changed. A client that sends one request after another gets about
 * `perSecond`; one that uses many connections gets one response per connection and `heldMs`.
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
 * Bytes of request bodies per account: a burst, and a rate per second. Bodies are read and parsed on the event loop,
 * which all requests share: a mebibyte takes up to about 60 ms of it, whatever the response.
 */
export const bodyBounds = { atOnce: 33_554_432, perSecond: 1_048_576, keysMax: 10_000 } as const

/**
 * A body that blocks the event loop for longer than its size suggests is charged for the time; up to `freeMs` is free.
 */
export const bodyLoopBounds = { freeMs: 5, msPerSecond: 50 } as const

/** Maximum size of a body, except for a snapshot that an operator uploads. */
export const bodyBytesMax = 1_048_576

/** Bodies beyond `smallBytesMax`, per account: how many are read concurrently, and how many may wait. */
export const largeBodies = { smallBytesMax: 65_536, atOnce: 2, waiting: 16 } as const

/** Requests that wait for a customer's CRM. */
export const crmTalkBounds = { inAll: 4, perAccount: 1, longestMs: 60_000 } as const

/** Retry-After of a request rejected during load shedding. */
export const sheddingRetrySeconds = 2

/** A readiness check of the database is reused for this long, and aborted after the timeout. */
export const readinessBounds = { sharedMs: 1_000, timeoutMs: 2_000 } as const

/**
 * Event streams that operators hold open: per credential and per process, and how long one lasts before the client
 * reconnects.
 */
export const eventStreamBounds = {
  perCredential: 6,
  inAll: 64,
  longestMs: 600_000,
  /** How often the watched state is checked. */
  lookMs: 500,
  /** At least one message per this interval, shorter than the silence that ends a connection. */
  quietMs: 10_000,
} as const
