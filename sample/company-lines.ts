/** `mca-companies`: a snapshot with the 16 columns that the registrar publishes since 2023. */
import { isoDay } from './calendar.ts'
import type { Company, CompanyBook } from './companies.ts'
import { accented, brokenAt40, mangledQuote } from './names.ts'
import type { CellDefects, NoiseKind } from './noise.ts'
import { premises } from './places.ts'
import { Random, type StreamKey, Weighted } from './random.ts'
import { cell } from './snapshot-file.ts'

export const companyHeader =
  'CIN,CompanyName,CompanyROCcode,CompanyCategory,CompanySubCategory,CompanyClass,AuthorizedCapital,PaidupCapital,' +
  'CompanyRegistrationdate_date,Registered_Office_Address,Listingstatus,CompanyStatus,CompanyStateCode,' +
  'CompanyIndian/Foreign Company,nic_code,CompanyIndustrialClassification'

/** Counts of a whole state's register. */
const statuses = new Weighted<string>([
  ['Active', 6632],
  ['Strike Off', 4263],
  ['Under process of striking off', 635],
  ['Amalgamated', 217],
  ['Converted to LLP', 59],
  ['Under Liquidation', 28],
  ['Dormant under section 455', 17],
  ['Dissolved (Liquidated)', 13],
  ['Inactive for e-filing', 10],
  ['Under CIRP', 3],
  ['Dissolved under section 59(8)', 2],
])

const ladder = [
  10_000, 50_000, 100_000, 200_000, 300_000, 500_000, 1_000_000, 1_500_000, 2_000_000, 2_500_000, 5_000_000, 10_000_000,
  20_000_000, 50_000_000, 13_000_000_000,
]
const authorised = new Weighted<number>([
  [2, 4780],
  [6, 1766],
  [5, 1507],
  [7, 367],
  [9, 341],
  [10, 302],
  [3, 255],
  [11, 251],
  [8, 201],
  [12, 91],
  [13, 91],
  [4, 89],
  [0, 78],
  [1, 70],
  [14, 1],
])

type Noise = CellDefects<NoiseKind<'mca-companies'>>

export function* companyLines(book: CompanyBook, key: StreamKey, noiseKey: StreamKey, noise: Noise): Generator<string> {
  const random = new Random()
  const noiseRandom = new Random()
  let previous = ''
  for (let index = 0; index < book.count; index++) {
    const company = book.at(index)
    if (company.rowDefect !== 'clean') noise.count(company.rowDefect)
    if (company.rowDefect !== 'duplicate_row') {
      previous = companyLine(book, company, random.reseed(key, index), noiseRandom.reseed(noiseKey, index), noise)
    }
    yield previous
  }
}

function companyLine(book: CompanyBook, company: Company, random: Random, noiseRandom: Random, noise: Noise): string {
  const { form, registrar, activity } = company
  const date = isoDay(company.registeredDay)
  // Nobody occurs off a company in its first year.
  const status = statuses.pick(random)
  const shownStatus = company.registeredDay > book.today - 365 && random.chance(0.97) ? 'Active' : status
  const head = `${companyIdCell(company)},${cell(nameCell(company.name, noiseRandom, noise))},${registrar.office}`
  const address = cell(addressCell(company, random, noiseRandom, noise))
  const state = registrar.state.toLowerCase()
  if (!form) return `${head},,,,,,${date},${address},,${shownStatus},${state},,,\n`
  const sector = cell(activity.classification)
  const listing = company.listed ? 'Listed' : 'Unlisted'
  const amounts = capitalCells(random, noiseRandom, noise)
  return `${head},${form.category},${form.subCategory},${form.class},${amounts},${date},${address},${listing},${shownStatus},${state},Indian,${company.nicCode},${sector}\n`
}

/** Letters O for zeros, in the registration number: `U63040GA2006PTCOO4531`. */
function companyIdCell({ id, rowDefect }: Company): string {
  if (rowDefect !== 'malformed_cin') return id
  return id.slice(0, 15) + id.slice(15).replace(/^0*(?=\d)|^\d/, (digits) => 'O'.repeat(Math.max(1, digits.length)))
}

function nameCell(name: string, noiseRandom: Random, noise: Noise): string {
  const legalForm = name.lastIndexOf('PRIVATE LIMITED')
  if (legalForm >= 34 && legalForm < 40 && noise.occurs(noiseRandom, 'name_broken_at_40')) {
    return brokenAt40(name)
  }
  return noise.occurs(noiseRandom, 'accented_letter') ? accented(name) : name
}

function addressCell({ town, registrar }: Company, random: Random, noiseRandom: Random, noise: Noise): string {
  const { unit, number, building, road, locality } = premises(random)
  const house = noise.occurs(noiseRandom, 'mojibake') ? `${building}${mangledQuote}s Annexe` : building
  const door = noise.occurs(noiseRandom, 'quote_inside') ? `${unit} ${number}/B "A WING"` : `${unit} ${number}`
  const joint = noise.occurs(noiseRandom, 'runs_of_spaces') ? ',   ' : ', '
  const segment = noise.occurs(noiseRandom, 'na_segment') ? ',NA' : ''
  const district = noise.occurs(noiseRandom, 'district_missing') ? '' : `,${town.district}`
  const pin = random.pick(town.pins)
  const shownPin = noise.occurs(noiseRandom, 'pin_zero') ? '000000' : noise.occurs(noiseRandom, 'pin_na') ? 'NA' : pin
  const edge = noise.occurs(noiseRandom, 'edge_space') ? ' ' : ''
  return `${edge}${door}, ${house}${joint}${road}, ${locality}${segment},${town.name}${district},${registrar.state},${shownPin}-India`
}

function capitalCells(random: Random, noiseRandom: Random, noise: Noise): string {
  const step = authorised.pick(random)
  const paidUpStep = random.chance(0.55) ? Math.min(step, 2) : random.below(step + 1)
  if (noise.occurs(noiseRandom, 'zero_capital')) return `${ladder[step]}.00,0.00`
  if (step < ladder.length - 1 && noise.occurs(noiseRandom, 'paid_up_above_authorised')) {
    return `${ladder[step]}.00,${ladder[step + 1]}.00`
  }
  return `${ladder[step]}.00,${ladder[paidUpStep]}.00`
}
