/**
 * Writes a sample world as snapshot files in the registries' own formats.
 *
 * The same seed, sizes and day give the same bytes. Every record is a function of its index, so files refer to each
 * other (boards to companies and directors, registrations to companies, contacts to all) without anything being
 * held in memory. `injected` counts the noise per kind, so that a reader's rejects can be compared with it.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { indianDayOf, isIsoDate } from '../src/domain/iso-date.ts'
import { AppError } from '../src/errors.ts'
import { dayOf } from './calendar.ts'
import { companiesMax, companyBook } from './companies.ts'
import { companyHeader, companyLines } from './company-lines.ts'
import { contactHeader, contactLines } from './contact-lines.ts'
import { directorHeader, directorLines, directorshipHeader, directorshipLines } from './director-lines.ts'
import { boards, directorBook, directorsMax } from './directors.ts'
import { taxpayersMax } from './gstins.ts'
import { type CellDefects, cellDefectsOf, type NoiseKind, type SampleSource } from './noise.ts'
import { type StreamKey, streamKey } from './random.ts'
import { writeSnapshotFile } from './snapshot-file.ts'
import { taxpayerHeader, taxpayerLines } from './taxpayer-lines.ts'
import { taxpayerBook } from './taxpayers.ts'

export interface SampleOptions {
  /** Created if missing; files of an earlier sample in it are replaced. */
  readonly outDir: string
  readonly companies: number
  readonly gst: number
  readonly directors: number
  readonly seed: string | number
  /** The day that recent registrations lead up to, YYYY-MM-DD; the present UTC day when absent. */
  readonly today?: string
  /** `false` writes clean files, a number multiplies the measured rates; default true, which is 1. */
  readonly noise?: boolean | number
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: SampleProgress) => void
}

export interface SampleProgress {
  readonly source: SampleSource
  /** Rows of this file so far. */
  readonly rows: number
  /** Rows of all files so far, and about how many there will be. */
  readonly rowsDone: number
  readonly rowsExpected: number
}

export interface SampleFile {
  readonly source: SampleSource
  readonly path: string
  /** Data rows, without the header, injected duplicates included. */
  readonly rows: number
  readonly injected: Readonly<Record<string, number>>
}

export async function generateSnapshots(options: SampleOptions): Promise<{ files: SampleFile[] }> {
  const { outDir, signal } = options
  const plans = planSnapshots(options)
  const rowsExpected = plans.reduce((sum, plan) => sum + plan.rowsExpected, 0)
  await mkdir(outDir, { recursive: true })

  const files: SampleFile[] = []
  let rowsBefore = 0
  for (const { source, header, lines, injected } of plans) {
    signal?.throwIfAborted()
    const path = join(outDir, `${source}.csv`)
    const onBlock = (rows: number) =>
      options.onProgress?.({
        source,
        rows,
        rowsDone: rowsBefore + rows,
        rowsExpected: Math.max(rowsExpected, rowsBefore + rows),
      })
    const rows = await writeSnapshotFile(path, header, lines, { signal, onBlock })
    rowsBefore += rows
    files.push({ source, path, rows, injected })
  }
  return { files }
}

/** A file before it is written. */
export interface SnapshotPlan {
  readonly source: SampleSource
  readonly header: string
  /** Each ends with its line break; they can be drawn once. */
  readonly lines: Iterable<string>
  readonly injected: Readonly<Record<string, number>>
  readonly rowsExpected: number
}

/** A file without rows is left out. @throws AppError BAD_REQUEST that lists every fault of the options. */
export function planSnapshots(options: Omit<SampleOptions, 'outDir'>): SnapshotPlan[] {
  const { seed } = options
  const { today, noiseScale, ...sizes } = checked(options)
  const companies = companyBook({ seed, count: sizes.companies, today, noiseScale })
  const taxpayers = taxpayerBook({ seed, count: sizes.gst, today, noiseScale }, companies)
  const directors = directorBook({ seed, count: sizes.directors, today, noiseScale })
  const boardAt = boards(seed, companies, directors)

  const plan = <S extends SampleSource>(
    source: S,
    header: string,
    rowsExpected: number,
    linesOf: (key: StreamKey, noiseKey: StreamKey, noise: CellDefects<NoiseKind<S>>) => Iterable<string>,
  ): SnapshotPlan => {
    const noise = cellDefectsOf(source, noiseScale)
    const lines = linesOf(streamKey(seed, `rows ${source}`), streamKey(seed, `dirt ${source}`), noise)
    return { source, header, lines, injected: noise.injected, rowsExpected }
  }
  const seats = sizes.directors === 0 ? 0 : sizes.companies * 2.5
  const contacts = (sizes.companies + sizes.gst + sizes.directors) * 0.85
  return [
    plan('mca-companies', companyHeader, sizes.companies, (key, noiseKey, noise) =>
      companyLines(companies, key, noiseKey, noise),
    ),
    plan('gst-taxpayers', taxpayerHeader, sizes.gst, (key, noiseKey, noise) =>
      taxpayerLines(taxpayers, key, noiseKey, noise),
    ),
    plan('mca-directors', directorHeader, sizes.directors, (key, noiseKey, noise) =>
      directorLines(directors, key, noiseKey, noise),
    ),
    plan('mca-directorships', directorshipHeader, Math.round(seats), (_key, noiseKey, noise) =>
      directorshipLines(companies, directors, boardAt, noiseKey, noise),
    ),
    plan('contacts', contactHeader, Math.round(contacts), (key, _noiseKey, noise) =>
      contactLines(companies, taxpayers, directors, key, noise),
    ),
  ].filter((each) => each.rowsExpected > 0)
}

function checked(options: Omit<SampleOptions, 'outDir'>) {
  const { companies, gst, directors, today = indianDayOf(new Date()), noise = true } = options
  const noiseScale = Number(noise)
  const faults: string[] = []
  const whole = (name: string, value: number, most: number) => {
    if (!Number.isInteger(value) || value < 0 || value > most)
      faults.push(`${name} must be a whole number from 0 to ${most}`)
  }
  whole('companies', companies, companiesMax)
  whole('gst', gst, taxpayersMax)
  whole('directors', directors, directorsMax)
  if (!isIsoDate(today) || today < '2020') faults.push('today must be a day since 2020 as YYYY-MM-DD')
  if (!(noiseScale >= 0 && noiseScale <= 100)) faults.push('noise must be true, false or a factor from 0 to 100')
  if (faults.length > 0) throw new AppError('BAD_REQUEST', `The sample cannot be generated: ${faults.join('; ')}.`)
  return { companies, gst, directors, today: dayOf(today), noiseScale }
}
