/**
 * How many connections a process may hold open beside its database, its files and its log, each of which takes a file descriptor as well:
 * one that runs out of them ends, whoever opened the connections.
 */
import { readFileSync } from 'node:fs'

/** For all but connections of the HTTP server. */
const kept = 200
const connectionsMin = 8

export const withinDescriptors = (wanted: number, limit = descriptorLimit()): number =>
  Math.min(wanted, Math.max(connectionsMin, limit - kept))

/** @returns the limit of this process as Linux tells it; none where nobody does. */
function descriptorLimit(): number {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
