/** How often statements of this process hit a condition of the database, by reason, for the metrics. */
import { type DatabaseFaultReason, databaseFaultReason, databaseFaultReasons } from './database-fault.ts'

const counts = new Map<DatabaseFaultReason, number>(databaseFaultReasons.map((reason) => [reason, 0]))

export function countDatabaseFault(error: unknown): void {
  const reason = error instanceof Error ? databaseFaultReason(error) : undefined
  if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1)
}

export const databaseFaultCounts = (): ReadonlyMap<DatabaseFaultReason, number> => counts
