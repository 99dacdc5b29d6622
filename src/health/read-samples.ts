/**
 * Reads the gauges of the instance at once, with the values of a scrape of `/metrics`, but waits for all of them.
 * @throws any error of the database.
 */
import { Registry } from 'prom-client'
import type { Db } from '../db/db.ts'
import type { Sample, Samples } from './find-conditions.ts'
import { forgetCounts, forgetWork, readCounts, readWork, workMetrics } from './readings/work-metrics.ts'

export interface Measured {
  readonly db: Db
  /** Data directory whose disk is measured. */
  readonly dataDir: string
  /** URL whose certificate is checked. */
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
