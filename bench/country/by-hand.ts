/**
 * The first load of the companies as an expert writes it by hand, into a table with the same indexes: the baseline for
 * Panji's.
 */
import { once } from 'node:events'
import { createReadStream, createWriteStream, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import type { Db } from '../../src/db/db.ts'
import { databaseCpu } from '../database-cpu.ts'
import { loadInTwoStreams } from '../ingest/expert.ts'
import { secondsOf } from '../ingest/panji-run.ts'

export interface ByHand {
  readonly seconds: number
  /** Processor seconds of the database's server. */
  readonly databaseCpuSeconds: number
}

export async function loadByHand(db: Db, gzipped: string, folder: string): Promise<ByHand> {
  const parts = [join(folder, 'by-hand-1.csv'), join(folder, 'by-hand-2.csv')] as const
  await halve(gzipped, parts)
  await db.execute('CREATE SCHEMA IF NOT EXISTS bench')
  await db.execute('CHECKPOINT')
  const cpu = await databaseCpu(db)
  const cpuBefore = cpu()
  try {
    const seconds = await secondsOf(() => loadInTwoStreams(db, parts, 'bench.by_hand'))
    return { seconds, databaseCpuSeconds: Math.round((cpu() - cpuBefore) * 10) / 10 }
  } finally {
    await db.execute('DROP SCHEMA bench CASCADE')
    for (const part of parts) rmSync(part)
  }
}

/** Every other line into each of two plain files, both with the header. */
async function halve(gzipped: string, parts: readonly [string, string]): Promise<void> {
  const files = parts.map((part) => createWriteStream(part))
  let lines = 0
  for await (const line of createInterface({ input: createReadStream(gzipped).pipe(createGunzip()) })) {
    const targets = lines === 0 ? files : [files[lines % 2]]
    lines++
    for (const target of targets) {
      if (target?.write(`${line}\n`) === false) await once(target, 'drain')
    }
  }
  await Promise.all(files.map((file) => new Promise<void>((resolve) => file.end(resolve))))
}
