/** Companies and LLPs of the sample as a function of their index, so that all files agree. */
import { type Activity, activities } from './activities.ts'
import { companiesOfYear, inflow, isoDay } from './calendar.ts'
import { coinedWord, companyName } from './names.ts'
import { noiseRates, rowDefectsOf } from './noise.ts'
import { type Registrar, registrarSlots, registrars, type Town } from './places.ts'
import { at, Random, streamKey, Weighted } from './random.ts'

export interface CompanyForm {
  /** Characters 13 to 15 of the CIN. */
  readonly letters: string
  readonly category: string
  readonly subCategory: string
  readonly class: string
  /** Ends the name. */
  readonly suffix: string
}

export type CompanyFate = 'clean' | 'malformed_cin' | 'duplicate_row' | 'year_differs' | 'foreign_state_letters'

export interface Company {
  /** CIN, or LLPIN if `form` is null. Well formed even if the row's rowDefect will spoil it. */
  readonly id: string
  readonly form: CompanyForm | null
  readonly name: string
  /** The first word of its name. */
  readonly coined: string
  readonly registrar: Registrar
  readonly town: Town
  readonly registeredDay: number
  readonly listed: boolean
  readonly activity: Activity
  readonly nicCode: string
  readonly rowDefect: CompanyFate
}

export interface CompanyBook {
  readonly count: number
  readonly today: number
  at(index: number): Company
}

const shares = 'Company limited by shares'
const guarantee = 'Company limited by guarantee'
const nonGovernment = 'Non-government company'
const foreign = 'subsidiary of company incorporated outside India'
const form = (letters: string, kind: string, suffix: string, category = shares, subCategory = nonGovernment) => ({
  letters,
  category,
  subCategory,
  class: kind,
  suffix,
})

/** Counts of a whole state's register, most frequent first. Type letters do not determine the class. */
const formCounts: readonly (readonly [CompanyForm, number])[] = [
  [form('PTC', 'Private', 'PRIVATE LIMITED'), 10858],
  [form('OPC', 'One Person Company', '(OPC) PRIVATE LIMITED'), 450],
  [form('PLC', 'Public', 'LIMITED'), 324],
  [form('NPL', 'Private', 'FOUNDATION'), 105],
  [form('FTC', 'Private', 'INDIA PRIVATE LIMITED', shares, foreign), 46],
  [form('ULT', 'Private', 'PRIVATE UNLIMITED', 'Unlimited company'), 28],
  [form('SGC', 'Public', 'CORPORATION LIMITED', shares, 'State government company'), 19],
  [form('NPL', 'Private', 'FEDERATION', guarantee), 17],
  [form('ULL', 'Public', 'UNLIMITED', 'Unlimited company'), 9],
  [form('PTC', 'Private', 'PRIVATE LIMITED', guarantee), 7],
  [form('SGC', 'Private', 'CORPORATION PRIVATE LIMITED', shares, 'State government company'), 4],
  [form('PLN', 'Public', 'COUNCIL', shares), 4],
  [form('GAP', 'Public', 'ASSOCIATION', guarantee, 'Guarantee and association Company'), 2],
  [form('GOI', 'Public', 'CORPORATION OF INDIA LIMITED', shares, 'Union government company'), 1],
  [form('FLC', 'Public', 'LEASING LIMITED', shares, foreign), 1],
]
/** One-person companies came with the Companies Act of 2013. */
const firstYearOfOpc = 2014
const forms = new Weighted(formCounts)
const olderForms = new Weighted(formCounts.filter(([{ letters }]) => letters !== 'OPC'))

/**
 * Companies of one office get numbers in an order that looks like none; the factor shares no divisor with the range.
 */
const numbersOfOffice = 999_999
const numberStep = 611_953
/** The largest share of `registrars` would pass its 999,999 numbers beyond this. */
export const companiesMax = 6_000_000

export interface BookOptions {
  readonly seed: string | number
  readonly count: number
  readonly today: number
  readonly noiseScale: number
}

export function companyBook({ seed, count, today, noiseScale }: BookOptions): CompanyBook {
  const key = streamKey(seed, 'company')
  const slotAt = registrarSlots(streamKey(seed, 'company-office'))
  const { malformed_cin, duplicate_row, year_differs, foreign_state_letters } = noiseRates['mca-companies']
  const rates = { malformed_cin, duplicate_row, year_differs, foreign_state_letters }
  const drawnFate = rowDefectsOf(streamKey(seed, 'company-rowDefect'), noiseScale, rates)
  const flow = inflow(today, count, companiesOfYear, 1950)
  const random = new Random()
  const shifts = new Map(registrars.map((each, place) => [each, random.reseed(key, -1 - place).below(numbersOfOffice)]))

  return {
    count,
    today,
    at(index) {
      const { registrar, ordinal } = slotAt(index)
      random.reseed(key, index)
      const office = registrar ?? random.pick(registrars)
      const registeredDay = flow.draw(random)
      const year = Number(isoDay(registeredDay).slice(0, 4))
      const drawnForm = year < firstYearOfOpc ? olderForms.pick(random) : forms.pick(random)
      const kind = registrar ? drawnForm : null
      const activity = activities.pick(random)
      // The classification changed in 2023; one in eleven of the newer companies still carries old digits.
      const vintage2008 = year >= 2023 && random.chance(0.91)
      const nicCode = random.pick(vintage2008 ? activity.nic2008 : activity.nic2004)
      const listed = kind?.letters === 'PLC' && random.chance(0.08)
      const coined = coinedWord(random)
      const rowDefect = kind ? drawnFate(index) : 'clean'
      const cin = () => {
        const letters = rowDefect === 'foreign_state_letters' ? 'DN' : office.letters
        const cinYear = rowDefect === 'year_differs' ? Math.max(1950, year - 1 - random.below(9)) : year
        const number = 1 + ((ordinal * numberStep + (shifts.get(office) ?? 0)) % numbersOfOffice)
        return `${listed ? 'L' : 'U'}${nicCode}${letters}${cinYear}${kind?.letters}${String(number).padStart(6, '0')}`
      }
      return {
        id: kind ? cin() : llpin(ordinal),
        form: kind,
        name: `${companyName(random, coined, activity.words)} ${kind?.suffix ?? 'LLP'}`,
        coined,
        registrar: office,
        town: random.pick(office.towns),
        registeredDay,
        listed,
        activity,
        nicCode,
        rowDefect,
      }
    },
  }
}

const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** AAA-0001, AAA-0002, … AAB-0001: 9,999 numbers to each group of letters. */
function llpin(ordinal: number): string {
  const group = Math.floor(ordinal / 9_999)
  const letter = (place: number) => at([...capitals], Math.floor(group / 26 ** place) % 26)
  return `${letter(2)}${letter(1)}${letter(0)}-${String(1 + (ordinal % 9_999)).padStart(4, '0')}`
}
