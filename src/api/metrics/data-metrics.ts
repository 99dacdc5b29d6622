/** How old what the registers hold is: the day that the data speaks of, and the last import that changed something. */
import { Gauge, type Registry } from 'prom-client'
import type { Tx } from '../../db/db.ts'
import { removedSampleRequester } from '../../ingest/run/scopes.ts'

export type DataMetrics = ReturnType<typeof dataMetrics>

export function dataMetrics(registers: Registry[]) {
  const gauge = (name: string, help: string) => new Gauge({ name, help, labelNames: ['source'] as const, registers })
  return {
    age: gauge(
      'panji_data_age_seconds',
      'Time since the day in India that the newest data of the source speaks of (as-of).',
    ),
    changed: gauge(
      'panji_ingest_last_change_age_seconds',
      'Time since a run of the source last changed a register; files that were known already (no_op) do not count.',
    ),
  }
}

export function resetDataMetrics(metrics: DataMetrics): void {
  for (const gauge of Object.values(metrics)) gauge.reset()
}

export async function setDataMetrics(tx: Tx, metrics: DataMetrics): Promise<void> {
  const sources = await tx.query<{ source: string; age: number; changed: number | null }>(
    `SELECT source, extract(epoch FROM now() - max(as_of)::timestamp AT TIME ZONE 'Asia/Kolkata')::float8 AS age,
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
}
