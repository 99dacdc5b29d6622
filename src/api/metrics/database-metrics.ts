/**
 * What statements of this process met: a full disk, connections used up and backends stopped are counted separately.
 */
import { Counter, type Registry } from 'prom-client'
import { databaseFaultCounts } from '../../db/fault-counts.ts'

export function reportDatabaseFaults(registers: Registry[]): void {
  new Counter({
    name: 'panji_database_faults_total',
    help: 'Statements of this process that failed because of the database, by reason.',
    labelNames: ['reason'] as const,
    registers,
    collect() {
      this.reset()
      for (const [reason, count] of databaseFaultCounts()) this.inc({ reason }, count)
    },
  })
}
