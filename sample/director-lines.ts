/** `mca-directors` and `mca-directorships`: people and the boards they sit on. */
import { isoDay } from './calendar.ts'
import type { CompanyBook } from './companies.ts'
import type { Director, DirectorBook, Seat } from './directors.ts'
import { accented, mangledQuote } from './names.ts'
import type { CellDefects, NoiseKind } from './noise.ts'
import { premises, registrars } from './places.ts'
import { Random, type StreamKey, Weighted } from './random.ts'

export const directorHeader =
  'din,first_name,middle_name,last_name,status,approval_date,disqualified,nationality,gender,date_of_birth,citizen_of_india,resident_of_india,address,city,district,state,country,pincode'
export const directorshipHeader = 'cin,din,designation,date_of_appointment,date_of_cessation'

const statuses = new Weighted<string>([
  ['Approved', 640],
  ['Deactivated', 290],
  ['Lapsed', 30],
  ['Disabled', 15],
  ['Surrendered', 10],
  ['Inactive', 8],
  ['Provisional', 5],
  ['Rejected', 2],
])
const nationalities = new Weighted<string>([
  ['Indian', 980],
  ['American', 5],
  ['British', 4],
  ['Japanese', 4],
  ['German', 3],
  ['Singaporean', 2],
  ['French', 2],
])
const offices = new Weighted(registrars.map((each) => [each, each.share] as const))

type DirectorNoise = CellDefects<NoiseKind<'mca-directors'>>
type SeatNoise = CellDefects<NoiseKind<'mca-directorships'>>

export function* directorLines(
  book: DirectorBook,
  key: StreamKey,
  noiseKey: StreamKey,
  noise: DirectorNoise,
): Generator<string> {
  const random = new Random()
  const noiseRandom = new Random()
  let previous = ''
  for (let index = 0; index < book.count; index++) {
    const director = book.at(index)
    if (director.rowDefect !== 'clean') noise.count(director.rowDefect)
    if (director.rowDefect !== 'duplicate_row') {
      previous = directorLine(
        director,
        book.today,
        random.reseed(key, index),
        noiseRandom.reseed(noiseKey, index),
        noise,
      )
    }
    yield previous
  }
}

function directorLine(
  { din, name, approvedDay }: Director,
  today: number,
  random: Random,
  noiseRandom: Random,
  noise: DirectorNoise,
): string {
  const shownDin = din.startsWith('0') && noise.occurs(noiseRandom, 'lost_leading_zeros') ? String(Number(din)) : din
  const first = noise.occurs(noiseRandom, 'accented_letter') ? accented(name.first) : name.first
  const last = noise.occurs(noiseRandom, 'edge_space') ? `${name.last} ` : name.last
  const status = approvedDay > today - 365 ? 'Approved' : statuses.pick(random)
  const disqualified = status !== 'Approved' && random.chance(0.1) ? 'Yes' : 'No'
  const nationality = nationalities.pick(random)
  const citizen = nationality === 'Indian' ? 'Yes' : 'No'
  const resident = nationality === 'Indian' || random.chance(0.3) ? 'Yes' : 'No'
  const birth = isoDay(approvedDay - 365 * 21 - random.below(365 * 45))
  const { state, towns } = offices.pick(random)
  const town = random.pick(towns)
  const { unit, number, building, road, locality } = premises(random)
  const house = noise.occurs(noiseRandom, 'mojibake') ? `${building}${mangledQuote}s Annexe` : building
  const joint = noise.occurs(noiseRandom, 'runs_of_spaces') ? ',   ' : ', '
  const pin = noise.occurs(noiseRandom, 'pin_zero') ? '000000' : random.pick(town.pins)
  const person = `${shownDin},${first},${name.middle},${last},${status},${isoDay(approvedDay)},${disqualified}`
  const origin = `${nationality},${name.gender},${birth},${citizen},${resident}`
  return `${person},${origin},"${unit} ${number}, ${house}${joint}${road}, ${locality}",${town.name},${town.district},${state},India,${pin}\n`
}

export function* directorshipLines(
  companies: CompanyBook,
  directors: DirectorBook,
  boardAt: (index: number) => readonly Seat[],
  noiseKey: StreamKey,
  noise: SeatNoise,
): Generator<string> {
  const noiseRandom = new Random()
  for (let index = 0; index < companies.count; index++) {
    const { id, rowDefect } = companies.at(index)
    if (rowDefect === 'duplicate_row' || rowDefect === 'malformed_cin') continue
    noiseRandom.reseed(noiseKey, index)
    for (const { directorIndex, designation, appointedDay, ceasedDay } of boardAt(index)) {
      const { din, rowDefect: directorFate } = directors.at(directorIndex)
      if (directorFate === 'duplicate_row') continue
      const shownDin =
        din.startsWith('0') && noise.occurs(noiseRandom, 'lost_leading_zeros') ? String(Number(din)) : din
      const line = `${id},${shownDin},${designation},${isoDay(appointedDay)},${ceasedDay === null ? '' : isoDay(ceasedDay)}\n`
      yield line
      if (noise.occurs(noiseRandom, 'duplicate_row')) yield line
    }
  }
}
