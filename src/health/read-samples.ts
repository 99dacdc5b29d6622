/** The gauges of the instance, read at once as a scrape of `/metrics` would find them, but waited for. @throws what the database throws. */
import { Registry } from 'prom-client'
import type { Db } from '../db/db.ts'
import type { Sample, Samples } from './find-conditions.ts'
import { forgetCounts, forgetWork, readCounts, readWork, workMetrics } from './readings/work-metrics.ts'

export interface Measured {
  readonly db: Db
  /** Whose disk is measured. */
  readonly dataDir: string
  /** Whose certificate is looked at. */
  readonly publicUrl: string | undefined
}

export async function readSamples({ db, dataDir, publicUrl }: Measured): Promise<Samples> {
  const registry = new Registry()
  const work = workMetrics([registry], dataDir)
  forgetWork(work)
  forgetCounts(work)
  await readWork(db, work)
  await readCounts(db, work, publicUrl)
  const metrics = await registry.getMetricsAsJSON()
  return new Map(
    metrics.flatMap(({ name, values }) => {
      const samples = values.map(({ labels, value }) => ({ labels: textOf(labels), value }))
      return samples.length === 0 ? [] : [[name, samples] as const]
    }),
  )
}

const textOf = (labels: object): Sample['labels'] =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]))
