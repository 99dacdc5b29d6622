/** Successive snapshots through the real ingest, and histories read back page by page. */
import { expect } from 'vitest'
import type { RunMode } from '../../config/sources/source.ts'
import type { Db } from '../../src/db/db.ts'
import { approveRun } from '../../src/ingest/conduct/approval.ts'
import { runSnapshot } from '../../src/ingest/conduct/run-snapshot.ts'
import type { FieldValue, HistoryEntry } from '../../src/registry/history/read-history.ts'
import type { BareApi } from './bare-api.ts'
import type { IngestSetup } from './ingest.ts'

/** Small files look suspicious to the guards; an operator approves them. */
export async function ingestApproved(
  db: Db,
  setup: IngestSetup,
  source: string,
  text: string,
  asOf: string,
  mode: RunMode,
): Promise<void> {
  const run = await setup.ingest(source, setup.file('snapshot.csv', text), { asOf, mode, force: true })
  const ended =
    run.status === 'needs_approval'
      ? await approveRun(db, setup.queue, run.run_id).then(() => runSnapshot(setup.dependencies(), run.run_id))
      : run
  expect(ended).toMatchObject({ status: 'succeeded', rejected: 0 })
}

export async function readWholeHistory(api: BareApi, url: string): Promise<HistoryEntry[]> {
  const entries: HistoryEntry[] = []
  for (let page = 1; ; page++) {
    const reply = await api.app.inject(`${url}&limit=2&page=${page}`)
    expect(reply.statusCode).toBe(200)
    const { data, total } = reply.json<{ data: HistoryEntry[]; total: number }>()
    entries.push(...data)
    if (data.length === 0) {
      expect(entries).toHaveLength(total)
      return entries
    }
  }
}

/** The record that the entries, newest first, add up to; each must start from the result of the previous one. */
export function replay(entries: readonly HistoryEntry[]): Record<string, FieldValue> {
  const record: Record<string, FieldValue> = {}
  for (const { kind, changes } of entries.toReversed()) {
    expect(kind === 'insert').toBe(Object.keys(record).length === 0)
    expect(changes.length).toBeGreaterThan(0)
    for (const { field, before, after } of changes) {
      expect({ [field]: record[field] ?? null }).toEqual({ [field]: before })
      expect(after).not.toEqual(before)
      record[field] = after
    }
  }
  return record
}
