/**
 * Database connections of one process, in pools that share nothing, so that none waits for another. A DATABASE_URL's server
 * must allow the sum for every process that runs on it, with those of the queue and a few for commands.
 */
export const connectionPools = {
  /** Logins, admission, details, readiness, writes: each takes moments. */
  api: 10,
  /** Searches, feeds, exports. Each keeps up to a core of the database busy: few more than it has cores help nobody. */
  expensiveReads: 3,
  /** Jobs of the worker. */
  jobs: 20,
} as const

/**
 * Of the embedded server's processes that serve expensive reads, as `nice` counts: below everybody else on the same cores, and
 * still about a tenth of one that is wanted by all, so that none of them holds a lock of the server for long.
 */
export const yieldingNiceness = 10

/** Beside its pools a process holds some for its lock, the queue, readiness, the owner's login and the operators' page. */
export const connectionsBesidePools = 12

/** As the owner's login: migrations at the start, and what commands do. */
export const ownerConnections = 4

/** Of the role that sells: as many as runs of standing orders are bought at once. */
export const tradeConnections = 2

/** `max_connections` of the embedded server. */
export const embeddedServerConnections = 100
/** What the pools may add up to there: the rest is for the queue, commands beside a running instance and the server itself. */
export const embeddedConnectionsMax = 80
/** A worker's lock, its heartbeats and the jobs that run at once hold connections together. */
export const jobConnectionsMin = 10
