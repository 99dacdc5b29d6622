/** Progress output of a bench that takes hours, a line per step. */
import type { WrittenFiles } from './files.ts'
import type { Loaded } from './load.ts'

export const say = (line: string): void => console.error(`${new Date().toISOString().slice(11, 19)} ${line}`)

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(2)} GB`

export function sayFiles(register: string, files: WrittenFiles): WrittenFiles {
  const { rows, csvBytes, gzipBytes, changed, seconds } = files
  say(
    `${register}: ${rows} rows, ${gigabytes(csvBytes)} as CSV, ${gigabytes(gzipBytes)} gzipped; ${changed} change; ${seconds} s`,
  )
  return files
}

export function sayLoad(what: string, loaded: Loaded): Loaded {
  const { rows, inserted, updated, rejected, seconds, secondsPerMillion, databaseCpuSeconds, steps, statements } =
    loaded
  const { folderBytes, temporaryBytes, walBytes, serverMiB, nodeMiB } = loaded.peaks
  const parts = (each: object) =>
    Object.entries(each)
      .filter(([, value]) => value >= 0.1)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')
  say(`${what}: ${rows} rows, ${inserted} new, ${updated} changed, ${rejected} rejected`)
  say(`  ${seconds} s, ${secondsPerMillion} a million (server ${databaseCpuSeconds} s of a processor): ${parts(steps)}`)
  say(`  statements: ${parts(statements)}`)
  say(
    `  at the peak ${gigabytes(folderBytes)}, of which log ${gigabytes(walBytes)}, temporary ${gigabytes(temporaryBytes)}; memory: server ${serverMiB} MiB, node ${nodeMiB} MiB`,
  )
  return loaded
}
