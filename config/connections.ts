/**
 * Database connections of one process, in separate pools, so that no kind of work waits for another. The server of a
 * DATABASE_URL must allow the sum for each process, plus those of the queue and a few for commands.
 */
export const connectionPools = {
  /** Logins, admission, details, readiness, writes: each takes milliseconds. */
  api: 10,
  /**
   * Searches, feeds, exports. Each keeps up to one database core busy, so many more than there are cores gain nothing.
   */
  expensiveReads: 3,
  /** Jobs of the worker. */
  jobs: 20,
} as const

/**
 * Niceness of the embedded server's processes for expensive reads: below everything else on the same cores, but still
 * about a tenth of a contended core, so that none holds a server lock for long.
 */
export const yieldingNiceness = 10

/** Further connections of a process: its lock, the queue, readiness, the owner's login and the operators' page. */
export const connectionsBesidePools = 12

/** As the owner's login: migrations at start, and commands. */
export const ownerConnections = 4

/** For the role that sells: as many as runs of standing orders are bought concurrently. */
export const tradeConnections = 2

/** `max_connections` of the embedded server. */
export const embeddedServerConnections = 100
/**
 * What the pools may add up to there: the rest is for the queue, commands next to a running instance, and the server
 * itself.
 */
export const embeddedConnectionsMax = 80
/** A worker's lock, its heartbeats and its concurrent jobs need this many together. */
export const jobConnectionsMin = 10
