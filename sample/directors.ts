/** Directors of the sample and who of them sits on which board, as functions of the index. */
import { inflow } from './calendar.ts'
import type { BookOptions, CompanyBook } from './companies.ts'
import { type PersonName, personName } from './names.ts'
import { noiseRates, rowDefectsOf } from './noise.ts'
import { Random, streamKey, Weighted } from './random.ts'

export interface Director {
  readonly din: string
  readonly name: PersonName
  readonly approvedDay: number
  readonly rowDefect: 'clean' | 'duplicate_row'
}

export interface DirectorBook {
  readonly count: number
  readonly today: number
  at(index: number): Director
}

/** DINs issued so far lie below eleven million; the range is a prime, so any factor visits each once. */
const dinRange = 10_999_997
const dinStep = 7_368_787
export const directorsMax = 10_000_000

export function directorBook({ seed, count, today, noiseScale }: BookOptions): DirectorBook {
  const key = streamKey(seed, 'director')
  const { duplicate_row } = noiseRates['mca-directors']
  const drawnFate = rowDefectsOf(streamKey(seed, 'director-rowDefect'), noiseScale, { duplicate_row })
  const flow = inflow(today, count, () => 1, 2006)
  const random = new Random()
  const shift = random.reseed(key, -1).below(dinRange)
  return {
    count,
    today,
    at(index) {
      random.reseed(key, index)
      return {
        din: String(1 + ((index * dinStep + shift) % dinRange)).padStart(8, '0'),
        name: personName(random),
        approvedDay: flow.draw(random),
        rowDefect: drawnFate(index),
      }
    },
  }
}

export interface Seat {
  readonly directorIndex: number
  readonly designation: string
  readonly appointedDay: number
  readonly ceasedDay: number | null
}

const designations = new Weighted<string>([
  ['Director', 700],
  ['Additional Director', 90],
  ['Managing Director', 80],
  ['Whole-time Director', 60],
  ['Nominee Director', 20],
  ['Independent Director', 20],
  ['Company Secretary', 10],
  ['CFO', 8],
  ['CEO', 6],
  ['Alternate Director', 4],
  ['Manager', 2],
])

/** @returns a function that names the seats on a company's board; every director on it once. */
export function boards(
  seed: string | number,
  companies: CompanyBook,
  directors: DirectorBook,
): (index: number) => Seat[] {
  const key = streamKey(seed, 'board')
  const random = new Random()
  return (index) => {
    const company = companies.at(index)
    random.reseed(key, index)
    const letters = company.form?.letters ?? 'LLP'
    const wanted = letters === 'OPC' ? 1 : company.form?.class === 'Public' ? 3 + random.below(4) : 2 + random.below(2)
    const first = random.below(directors.count)
    const step = 1 + random.below(97)
    return Array.from({ length: Math.min(wanted, directors.count) }, (_, place) => {
      // A step larger than the number of directors could come back to the first; neighbours never do.
      const directorIndex = (first + place * (directors.count > 1_000 ? step : 1)) % directors.count
      const earliest = Math.max(company.registeredDay, directors.at(directorIndex).approvedDay)
      const days = companies.today - earliest
      const appointedDay = place < 2 ? earliest : earliest + random.below(days + 1)
      const left = place > 0 && random.chance(0.25)
      return {
        directorIndex,
        designation: letters === 'LLP' ? 'Designated Partner' : designations.pick(random),
        appointedDay,
        ceasedDay: left ? appointedDay + random.below(companies.today - appointedDay + 1) : null,
      }
    })
  }
}
