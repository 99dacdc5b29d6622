/**
 * How many connections a process may hold open in addition to its database, its files and its log, which also need file
 * descriptors: a process that runs out of them dies, whoever opened the connections.
 */
import { readFileSync } from 'node:fs'

/** Reserved for everything but connections of the HTTP server. */
const kept = 200
const connectionsMin = 8

export const withinDescriptors = (wanted: number, limit = descriptorLimit()): number =>
  Math.min(wanted, Math.max(connectionsMin, limit - kept))

/** @returns this process's limit on Linux; none elsewhere. */
function descriptorLimit(): number {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
