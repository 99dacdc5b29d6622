/** Cells as days: in which order a file writes day and month, and what each of its dates then is. */
import type { DateOrder } from '../../../config/sources/source.ts'
import { Rejected, textOf } from './texts.ts'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
/** So many of the dates that can show an order decide it. */
const shareThatDecides = 0.99

function dayOf(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day))
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && month >= 1
  return isReal ? date.toISOString().slice(0, 10) : null
}

/** What a cell can mean: a day by itself, or one in either order. */
type Reading = { readonly day: string | null } | { readonly dmy: string | null; readonly mdy: string | null }

function readingOf(cell: string): Reading {
  const text = cell.replace(/[T ]\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?Z?$/, '')
  const [, year, month, day] = /^(\d{4})[-/.]?(\d{1,2})[-/.]?(\d{1,2})$/.exec(text) ?? []
  if (year !== undefined) return { day: dayOf(Number(year), Number(month), Number(day)) }
  const [, first, word, last] = /^(\d{1,2})[- ]([A-Za-z]{3,9})[- ,]+(\d{4})$/.exec(text) ?? []
  if (word !== undefined) return { day: dayOf(Number(last), monthOf(word), Number(first)) }
  const [, named, at, of] = /^([A-Za-z]{3,9}) (\d{1,2}),? (\d{4})$/.exec(text) ?? []
  if (named !== undefined) return { day: dayOf(Number(of), monthOf(named), Number(at)) }
  const [, one, two, four] = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/.exec(text) ?? []
  if (one === undefined) return { day: null }
  return {
    dmy: dayOf(Number(four), Number(two), Number(one)),
    mdy: dayOf(Number(four), Number(one), Number(two)),
  }
}
const monthOf = (word: string) => months.indexOf(word.slice(0, 3).toLowerCase()) + 1

interface Proofs {
  readonly dmy: number
  readonly mdy: number
}
const decided = ({ dmy, mdy }: Proofs): DateOrder | undefined => {
  if (dmy + mdy === 0) return undefined
  if (dmy >= (dmy + mdy) * shareThatDecides) return 'dmy'
  return mdy >= (dmy + mdy) * shareThatDecides ? 'mdy' : undefined
}

/** The order of each column of dates: of `columns`, the cells by the column's name. */
export function ordersOf(
  columns: ReadonlyMap<string, readonly (string | undefined)[]>,
  declared: DateOrder | undefined,
): ReadonlyMap<string, DateOrder | undefined> {
  const proofs = [...columns].map(([name, cells]): [string, Proofs] => {
    const readings = cells.flatMap((cell) => textOf(cell) ?? []).map(readingOf)
    const only = (one: 'dmy' | 'mdy', other: 'dmy' | 'mdy') =>
      readings.filter((reading) => 'dmy' in reading && reading[one] !== null && reading[other] === null).length
    return [name, { dmy: only('dmy', 'mdy'), mdy: only('mdy', 'dmy') }]
  })
  const all = (order: 'dmy' | 'mdy') => proofs.reduce((sum, [, each]) => sum + each[order], 0)
  // A column that shows nothing follows the dates of the file, all of them together.
  const ofFile = decided({ dmy: all('dmy'), mdy: all('mdy') })
  const orderOf = (each: Proofs) => decided(each) ?? (each.dmy + each.mdy === 0 ? ofFile : undefined)
  return new Map(proofs.map(([name, each]) => [name, declared ?? orderOf(each)]))
}

/** A day in zeros is none. */
export function dateOf(cell: string | undefined, order: DateOrder | undefined): string | null {
  const text = textOf(cell)
  if (text === null || /^0{1,4}[-/.]0{1,2}[-/.]0{1,4}$/.test(text)) return null
  const reading = readingOf(text)
  if ('day' in reading) {
    if (reading.day === null) throw new Rejected('date_unreadable')
    return reading.day
  }
  const { dmy, mdy } = reading
  if (order === undefined && dmy !== null && mdy !== null && dmy !== mdy) throw new Rejected('date_ambiguous')
  const day = order === undefined ? (dmy ?? mdy) : reading[order]
  if (day === null) throw new Rejected('date_unreadable')
  return day
}
