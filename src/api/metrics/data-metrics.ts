/**
 * How old what the registers hold is: the day that the data speaks of, the last import that changed something, and for how
 * long a run that waits for a decision has held the schedules of its source.
 */
import { Gauge, type Registry } from 'prom-client'
import type { Tx } from '../../db/db.ts'
import { readHoldingRuns } from '../../ingest/run/holding-runs.ts'
import { removedSampleRequester } from '../../ingest/run/scopes.ts'

export type DataMetrics = ReturnType<typeof dataMetrics>

export function dataMetrics(registers: Registry[]) {
  const gauge = (name: string, help: string) => new Gauge({ name, help, labelNames: ['source'] as const, registers })
  const held = {
    name: 'panji_source_held_age_seconds',
    help: 'Time for which the schedules of the source have been held by its oldest run that waits for a decision.',
  }
  return {
    age: gauge(
      'panji_data_age_seconds',
      'Time since the day in India that the newest data of the source speaks of (as-of).',
    ),
    changed: gauge(
      'panji_ingest_last_change_age_seconds',
      'Time since a run of the source last changed a register; files that were known already (no_op) do not count.',
    ),
    held: new Gauge({ ...held, labelNames: ['source', 'run'] as const, registers }),
  }
}

export function resetDataMetrics(metrics: DataMetrics): void {
  for (const gauge of Object.values(metrics)) gauge.reset()
}

export async function setDataMetrics(tx: Tx, metrics: DataMetrics): Promise<void> {
  const sources = await tx.query<{ source: string; age: number; changed: number | null }>(
    `SELECT source, extract(epoch FROM now() - runtime.indian_midnight(max(as_of)))::float8 AS age,
            extract(epoch FROM now() - max(finished_at) FILTER (WHERE inserted + updated + closed > 0))::float8 AS changed
     FROM ingest.run
     WHERE status = 'succeeded' AND undone_by IS NULL AND undo IS NULL AND requested_by IS DISTINCT FROM $1
     GROUP BY source`,
    [removedSampleRequester],
  )
  for (const { source, age, changed } of sources) {
    metrics.age.set({ source }, Math.max(0, age))
    if (changed !== null) metrics.changed.set({ source }, Math.max(0, changed))
  }
  for (const [source, { run_id, since }] of await readHoldingRuns(tx)) {
    metrics.held.set({ source, run: run_id }, Math.max(0, (Date.now() - since.getTime()) / 1000))
  }
}
