/** `mca-directors` and `mca-directorships`: people and the boards they sit on. */
import { isoDay } from './calendar.ts'
import type { CompanyBook } from './companies.ts'
import type { Director, DirectorBook, Seat } from './directors.ts'
import type { Blemishes, DirtKind } from './dirt.ts'
import { accented, mangledQuote } from './names.ts'
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

type DirectorDirt = Blemishes<DirtKind<'mca-directors'>>
type SeatDirt = Blemishes<DirtKind<'mca-directorships'>>

export function* directorLines(
  book: DirectorBook,
  key: StreamKey,
  dirtKey: StreamKey,
  dirt: DirectorDirt,
): Generator<string> {
  const random = new Random()
  const dirtRandom = new Random()
  let previous = ''
  for (let index = 0; index < book.count; index++) {
    const director = book.at(index)
    if (director.fate !== 'clean') dirt.count(director.fate)
    if (director.fate !== 'duplicate_row') {
      previous = directorLine(director, book.today, random.reseed(key, index), dirtRandom.reseed(dirtKey, index), dirt)
    }
    yield previous
  }
}

function directorLine(
  { din, name, approvedDay }: Director,
  today: number,
  random: Random,
  dirtRandom: Random,
  dirt: DirectorDirt,
): string {
  const shownDin = din.startsWith('0') && dirt.strikes(dirtRandom, 'lost_leading_zeros') ? String(Number(din)) : din
  const first = dirt.strikes(dirtRandom, 'accented_letter') ? accented(name.first) : name.first
  const last = dirt.strikes(dirtRandom, 'edge_space') ? `${name.last} ` : name.last
  const status = approvedDay > today - 365 ? 'Approved' : statuses.pick(random)
  const disqualified = status !== 'Approved' && random.chance(0.1) ? 'Yes' : 'No'
  const nationality = nationalities.pick(random)
  const citizen = nationality === 'Indian' ? 'Yes' : 'No'
  const resident = nationality === 'Indian' || random.chance(0.3) ? 'Yes' : 'No'
  const birth = isoDay(approvedDay - 365 * 21 - random.below(365 * 45))
  const { state, towns } = offices.pick(random)
  const town = random.pick(towns)
  const { unit, number, building, road, locality } = premises(random)
  const house = dirt.strikes(dirtRandom, 'mojibake') ? `${building}${mangledQuote}s Annexe` : building
  const joint = dirt.strikes(dirtRandom, 'runs_of_spaces') ? ',   ' : ', '
  const pin = dirt.strikes(dirtRandom, 'pin_zero') ? '000000' : random.pick(town.pins)
  const person = `${shownDin},${first},${name.middle},${last},${status},${isoDay(approvedDay)},${disqualified}`
  const origin = `${nationality},${name.gender},${birth},${citizen},${resident}`
  return `${person},${origin},"${unit} ${number}, ${house}${joint}${road}, ${locality}",${town.name},${town.district},${state},India,${pin}\n`
}

export function* directorshipLines(
  companies: CompanyBook,
  directors: DirectorBook,
  boardAt: (index: number) => readonly Seat[],
  dirtKey: StreamKey,
  dirt: SeatDirt,
): Generator<string> {
  const dirtRandom = new Random()
  for (let index = 0; index < companies.count; index++) {
    const { id, fate } = companies.at(index)
    if (fate === 'duplicate_row' || fate === 'malformed_cin') continue
    dirtRandom.reseed(dirtKey, index)
    for (const { directorIndex, designation, appointedDay, ceasedDay } of boardAt(index)) {
      const { din, fate: directorFate } = directors.at(directorIndex)
      if (directorFate === 'duplicate_row') continue
      const shownDin = din.startsWith('0') && dirt.strikes(dirtRandom, 'lost_leading_zeros') ? String(Number(din)) : din
      const line = `${id},${shownDin},${designation},${isoDay(appointedDay)},${ceasedDay === null ? '' : isoDay(ceasedDay)}\n`
      yield line
      if (dirt.strikes(dirtRandom, 'duplicate_row')) yield line
    }
  }
}
