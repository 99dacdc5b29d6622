/**
 * The delivery log as CSV or JSON Lines, read page by page with a keyset cursor, so that a log of any length is
 * exported in constant memory. A row that changes during the export may appear in its old or its new state.
 */
import { stringify } from 'csv-stringify/sync'
import { guarded } from '../../domain/formula-guard.ts'
import type { Delivery } from './list-deliveries.ts'

export const exportFormats = ['csv', 'ndjson'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** New columns are added at the end, since some scripts count columns. */
const columns = [
  ...(['delivery_id', 'order_id', 'destination_id', 'record', 'outcome', 'code', 'field', 'message'] as const),
  ...(['crm_id', 'crm_url', 'at', 'name', 'destination_name', 'next_attempt_at', 'created_at'] as const),
] satisfies readonly (keyof Delivery)[]

export const exportPageSize = 1_000

/** @param run reads the page after an id; every page but the last has `exportPageSize` rows. */
export async function* deliveryPages(
  run: (after: string | null) => Promise<readonly Delivery[]>,
): AsyncGenerator<readonly Delivery[]> {
  let after: string | null = null
  for (;;) {
    const page: readonly Delivery[] = await run(after)
    if (page.length > 0) yield page
    const last = page.at(-1)
    if (page.length < exportPageSize || last === undefined) return
    after = last.delivery_id
  }
}

export async function* exportedText(
  format: ExportFormat,
  pages: AsyncIterable<readonly Delivery[]>,
): AsyncGenerator<string> {
  if (format === 'csv') yield lines([[...columns]])
  for await (const page of pages) {
    if (format === 'ndjson') yield page.map((delivery) => `${JSON.stringify(delivery)}\n`).join('')
    else yield lines(page.map(cellsOf))
  }
}

const cellsOf = (delivery: Delivery): string[] =>
  columns.map((name) => {
    const value = delivery[name]
    return guarded(value instanceof Date ? value.toISOString() : (value ?? ''))
  })

const lines = (rows: readonly (readonly string[])[]): string =>
  stringify(rows as string[][], { quoted: true, quoted_empty: true, record_delimiter: 'windows' })
