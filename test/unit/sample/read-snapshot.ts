/** Generates a sample into a folder of its own and reads the files back the way an ordinary CSV reader does. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { generateSnapshots, type SampleFile, type SampleOptions } from '../../../sample/generate-snapshots.ts'
import type { SampleSource } from '../../../sample/noise.ts'

export interface ReadFile extends SampleFile {
  readonly text: string
  readonly header: string
  readonly records: readonly Readonly<Record<string, string>>[]
}

export const defaults = { companies: 0, gst: 0, directors: 0, seed: 7, today: '2026-03-31' } as const

export async function sample(options: Partial<SampleOptions>): Promise<ReadonlyMap<SampleSource, ReadFile>> {
  const outDir = mkdtempSync(join(tmpdir(), 'panji-sample-'))
  try {
    const { files } = await generateSnapshots({ ...defaults, outDir, ...options })
    return new Map(files.map((file) => [file.source, { ...file, ...read(file.path) }]))
  } finally {
    rmSync(outDir, { recursive: true, force: true })
  }
}

function read(path: string): Pick<ReadFile, 'text' | 'header' | 'records'> {
  const text = readFileSync(path, 'utf8')
  const records = parse(text, { columns: true, relax_column_count: false }) as Record<string, string>[]
  return { text, header: text.slice(0, text.indexOf('\n')), records }
}

/** A cell of a record that must have it. */
export function value(record: Readonly<Record<string, string>>, column: string): string {
  const found = record[column]
  if (found === undefined) throw new Error(`no column ${column}`)
  return found
}

export function fileOf(files: ReadonlyMap<SampleSource, ReadFile>, source: SampleSource): ReadFile {
  const file = files.get(source)
  if (!file) throw new Error(`no file of ${source}`)
  return file
}
