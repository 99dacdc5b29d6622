/** The ratios that a run of the country reports, from the results of its steps. */
import type { ByHand } from './by-hand.ts'
import type { WrittenFiles } from './files.ts'
import type { Loaded } from './load.ts'
import type { Sizes } from './sizes.ts'
import { registers } from './world.ts'

const rounded = (value: number): number => Math.round(value * 100) / 100

export function figuresOf(told: Readonly<Record<string, unknown>>) {
  const step = <T>(name: string) => told[`panji: ${name}`] as T
  const loadsOf = (night: string) => registers.map((register) => step<Loaded>(`${night} ${register}`))
  const secondsOf = (night: string) =>
    loadsOf(night).reduce((sum, { seconds }) => sum + seconds, step<{ seconds: number }>(`${night} words`).seconds)
  const csvBytes = registers.reduce((sum, register) => sum + step<WrittenFiles>(`files of ${register}`).csvBytes, 0)
  const [empty, loaded, refreshed] = [step<Sizes>('empty'), step<Sizes>('first sizes'), step<Sizes>('next sizes')]
  const before = empty.folderBytes - empty.walBytes
  const peakOf = (night: string) => Math.max(...loadsOf(night).map(({ peaks }) => peaks.folderBytes)) - before
  const all = [...loadsOf('first'), ...loadsOf('next')]
  const byHand = told['by hand'] as ByHand
  const companies = step<Loaded>('first mca-companies')
  return {
    rows: loadsOf('first').reduce((sum, { rows }) => sum + rows, 0),
    csvBytes,
    firstLoadSeconds: rounded(secondsOf('first')),
    refreshSeconds: rounded(secondsOf('next')),
    databasePerCsvByte: {
      atRest: rounded((loaded.databaseBytes - empty.databaseBytes) / csvBytes),
      afterTheNight: rounded((refreshed.databaseBytes - empty.databaseBytes) / csvBytes),
      atThePeak: rounded(peakOf('first') / csvBytes),
      atThePeakOfTheNight: rounded(peakOf('next') / csvBytes),
    },
    logBytesAtThePeak: Math.max(...all.map(({ peaks }) => peaks.walBytes)),
    memoryMiB: {
      server: Math.max(...all.map(({ peaks }) => peaks.serverMiB)),
      node: Math.max(...all.map(({ peaks }) => peaks.nodeMiB)),
    },
    companiesToByHand: {
      seconds: rounded(companies.seconds / byHand.seconds),
      databaseCpu: rounded(companies.databaseCpuSeconds / byHand.databaseCpuSeconds),
    },
  }
}
