/**
 * Writes a sample world as snapshot files in the registries' own formats.
 *
 * The same seed, sizes and day give the same bytes. Every record is a function of its index, so files refer to each
 * other (boards to companies and directors, registrations to companies, contacts to all) without anything being
 * held in memory. `planted` counts the dirt per kind, so that a reader's rejects can be compared with it.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isIsoDate, isoDateOf } from '../domain/iso-date.ts'
import { AppError } from '../errors.ts'
import { dayOf } from './calendar.ts'
import { companiesMax, companyBook } from './companies.ts'
import { companyHeader, companyLines } from './company-lines.ts'
import { contactHeader, contactLines } from './contact-lines.ts'
import { directorHeader, directorLines, directorshipHeader, directorshipLines } from './director-lines.ts'
import { boards, directorBook, directorsMax } from './directors.ts'
import { type Blemishes, blemishesOf, type DirtKind, type SampleSource } from './dirt.ts'
import { taxpayersMax } from './gstins.ts'
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
  readonly dirt?: boolean | number
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
  /** Data rows, without the header, planted duplicates included. */
  readonly rows: number
  readonly planted: Readonly<Record<string, number>>
}

export async function generateSnapshots(options: SampleOptions): Promise<{ files: SampleFile[] }> {
  const { outDir, signal } = options
  const plans = planFiles(options)
  const rowsExpected = plans.reduce((sum, plan) => sum + plan.rowsExpected, 0)
  await mkdir(outDir, { recursive: true })

  const files: SampleFile[] = []
  let rowsBefore = 0
  for (const { source, header, lines, planted } of plans) {
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
    files.push({ source, path, rows, planted })
  }
  return { files }
}

interface FilePlan {
  readonly source: SampleSource
  readonly header: string
  readonly lines: Iterable<string>
  readonly planted: Readonly<Record<string, number>>
  readonly rowsExpected: number
}

/** A file without rows is left out. */
function planFiles(options: SampleOptions): FilePlan[] {
  const { seed } = options
  const { today, dirtScale, ...sizes } = checked(options)
  const companies = companyBook({ seed, count: sizes.companies, today, dirtScale })
  const taxpayers = taxpayerBook({ seed, count: sizes.gst, today, dirtScale }, companies)
  const directors = directorBook({ seed, count: sizes.directors, today, dirtScale })
  const boardAt = boards(seed, companies, directors)

  const plan = <S extends SampleSource>(
    source: S,
    header: string,
    rowsExpected: number,
    linesOf: (key: StreamKey, dirtKey: StreamKey, dirt: Blemishes<DirtKind<S>>) => Iterable<string>,
  ): FilePlan => {
    const dirt = blemishesOf(source, dirtScale)
    const lines = linesOf(streamKey(seed, `rows ${source}`), streamKey(seed, `dirt ${source}`), dirt)
    return { source, header, lines, planted: dirt.planted, rowsExpected }
  }
  const seats = sizes.directors === 0 ? 0 : sizes.companies * 2.5
  const contacts = (sizes.companies + sizes.gst + sizes.directors) * 0.85
  return [
    plan('mca-companies', companyHeader, sizes.companies, (key, dirtKey, dirt) =>
      companyLines(companies, key, dirtKey, dirt),
    ),
    plan('gst-taxpayers', taxpayerHeader, sizes.gst, (key, dirtKey, dirt) =>
      taxpayerLines(taxpayers, key, dirtKey, dirt),
    ),
    plan('mca-directors', directorHeader, sizes.directors, (key, dirtKey, dirt) =>
      directorLines(directors, key, dirtKey, dirt),
    ),
    plan('mca-directorships', directorshipHeader, Math.round(seats), (_key, dirtKey, dirt) =>
      directorshipLines(companies, directors, boardAt, dirtKey, dirt),
    ),
    plan('contacts', contactHeader, Math.round(contacts), (key, _dirtKey, dirt) =>
      contactLines(companies, taxpayers, directors, key, dirt),
    ),
  ].filter((each) => each.rowsExpected > 0)
}

/** @throws AppError BAD_REQUEST that lists every fault. */
function checked({ companies, gst, directors, today = isoDateOf(new Date()), dirt = true }: SampleOptions) {
  const dirtScale = Number(dirt)
  const faults: string[] = []
  const whole = (name: string, value: number, most: number) => {
    if (!Number.isInteger(value) || value < 0 || value > most)
      faults.push(`${name} must be a whole number from 0 to ${most}`)
  }
  whole('companies', companies, companiesMax)
  whole('gst', gst, taxpayersMax)
  whole('directors', directors, directorsMax)
  if (!isIsoDate(today) || today < '2020') faults.push('today must be a day since 2020 as YYYY-MM-DD')
  if (!(dirtScale >= 0 && dirtScale <= 100)) faults.push('dirt must be true, false or a factor from 0 to 100')
  if (faults.length > 0) throw new AppError('BAD_REQUEST', `The sample cannot be generated: ${faults.join('; ')}.`)
  return { companies, gst, directors, today: dayOf(today), dirtScale }
}
