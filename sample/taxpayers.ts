/** GST registrations of the sample: numbers and owners as a function of the index; some owners are its companies. */
import { type Activity, activities } from './activities.ts'
import { inflow } from './calendar.ts'
import type { BookOptions, Company, CompanyBook } from './companies.ts'
import { gstinOf, panOf, type TaxpayerType } from './gstins.ts'
import { coinedWord, companyName, personName } from './names.ts'
import { noiseRates, rowDefectsOf } from './noise.ts'
import { type Registrar, registrars, type Town } from './places.ts'
import { Random, streamKey, Weighted } from './random.ts'

export type TaxpayerFate = 'clean' | 'wrong_check_digit' | 'duplicate_row'

export interface Taxpayer {
  /** Valid even if the row's rowDefect will replace the check digit. */
  readonly gstin: string
  readonly legalName: string
  readonly tradeName: string
  readonly constitution: string
  readonly taxpayerType: TaxpayerType
  readonly activity: Activity
  readonly registrar: Registrar
  readonly town: Town
  readonly registeredDay: number
  readonly rowDefect: TaxpayerFate
}

export interface TaxpayerBook {
  readonly count: number
  readonly today: number
  at(index: number): Taxpayer
}

interface Constitution {
  readonly name: string
  /** The fourth letter of its PANs. */
  readonly holder: string
  readonly suffix: string
}

interface Owner {
  readonly legalName: string
  readonly tradeName: string
  readonly constitution: Constitution
  readonly taxpayerType: TaxpayerType
  readonly activity: Activity
  readonly registrar: Registrar
  readonly pan: string
  /** No one registers before being founded. */
  readonly foundedDay: number
}

/** GST began on 1 July 2017, with everyone whom the previous taxes had registered. */
const startOfGst = Date.UTC(2017, 6, 1) / 86_400_000

const constitution = (name: string, holder: string, suffix: string): Constitution => ({ name, holder, suffix })
const proprietorship = constitution('Proprietorship', 'P', '')
const privateLimited = constitution('Private Limited Company', 'C', 'PRIVATE LIMITED')
const publicLimited = constitution('Public Limited Company', 'C', 'LIMITED')
const partnershipLimited = constitution('Limited Liability Partnership', 'F', 'LLP')
const government = constitution('Government Department', 'G', 'DEPARTMENT')
const foreignCompany = constitution('Foreign Company', 'C', 'INTERNATIONAL INC')
const others = constitution('Others', 'A', 'ASSOCIATION')

const constitutions = new Weighted<Constitution>([
  [proprietorship, 780],
  [constitution('Partnership', 'F', 'AND COMPANY'), 95],
  [privateLimited, 80],
  [partnershipLimited, 15],
  [constitution('Hindu Undivided Family', 'H', 'HUF'), 8],
  [constitution('Society/ Club/ Trust/ AOP', 'T', 'TRUST'), 7],
  [publicLimited, 6],
  [constitution('Local Authority', 'L', 'PANCHAYAT'), 3],
  [constitution('Statutory Body', 'J', 'BOARD'), 2],
  [constitution('Public Sector Undertaking', 'C', 'CORPORATION LIMITED'), 2],
  [others, 2],
])

/** Shares of active registrations, in thousandths of a percent. */
const types = new Weighted<TaxpayerType>([
  ['Regular', 87_400],
  ['Composition', 9_700],
  ['Tax Deductor', 2_500],
  ['Tax Collector (Electronic Commerce Operator)', 150],
  ['Input Service Distributor (ISD)', 140],
  ['SEZ Unit', 50],
  ['Casual Taxable Person', 30],
  ['SEZ Developer', 10],
  ['Non Resident Taxable Person', 7],
  ['Non Resident Online Services Provider', 7],
  ['United Nation Body', 3],
  ['Consulate or Embassy of Foreign Country', 3],
])

/** Types that only one kind of owner has. */
const constitutionOfType: Partial<Readonly<Record<TaxpayerType, Constitution>>> = {
  'Tax Deductor': government,
  'Tax Collector (Electronic Commerce Operator)': privateLimited,
  'Input Service Distributor (ISD)': privateLimited,
  'SEZ Unit': privateLimited,
  'SEZ Developer': publicLimited,
  'Non Resident Taxable Person': foreignCompany,
  'Non Resident Online Services Provider': foreignCompany,
  'United Nation Body': others,
  'Consulate or Embassy of Foreign Country': others,
}

export function taxpayerBook({ seed, count, today, noiseScale }: BookOptions, companies: CompanyBook): TaxpayerBook {
  const ownerKey = streamKey(seed, 'taxpayer-owner')
  const key = streamKey(seed, 'taxpayer')
  const { wrong_check_digit, duplicate_row } = noiseRates['gst-taxpayers']
  const drawnFate = rowDefectsOf(streamKey(seed, 'taxpayer-rowDefect'), noiseScale, {
    wrong_check_digit,
    duplicate_row,
  })
  const flow = inflow(today, count, (year) => (year === 2017 ? 3 : 1), 2017)
  const offices = new Weighted(registrars.map((each) => [each, each.share] as const))
  const random = new Random()
  const companyOf = distinctCompanies(companies)
  const panShift = random.reseed(key, -1).below(100_000_000)

  const ownerAt = (index: number): Owner => {
    random.reseed(ownerKey, index)
    const taxpayerType = types.pick(random)
    const drawn = constitutionOfType[taxpayerType] ?? constitutions.pick(random)
    const identity = identityOf(random, drawn, () => companyOf(index), offices)
    const pan = panOf(index, panShift, identity.constitution.holder, identity.legalName, random.below(26))
    return { ...identity, taxpayerType, pan }
  }

  return {
    count,
    today,
    at(index) {
      // Every tenth record is the previous owner's registration in another state, or a second one in the same.
      const further = index % 10 === 9
      const owner = ownerAt(further ? index - 1 : index)
      random.reseed(key, index)
      const registrar = further ? offices.pick(random) : owner.registrar
      const taxpayerType = further ? 'Regular' : owner.taxpayerType
      const second = further && registrar.gstCode === owner.registrar.gstCode
      const entity = second ? '3' : taxpayerType === 'Input Service Distributor (ISD)' ? '2' : '1'
      return {
        gstin: gstinOf(taxpayerType, registrar.gstCode, owner.pan, entity, index),
        legalName: owner.legalName,
        tradeName: owner.tradeName,
        constitution: owner.constitution.name,
        taxpayerType,
        activity: owner.activity,
        registrar,
        town: random.pick(registrar.towns),
        registeredDay: Math.max(startOfGst, owner.foundedDay, flow.draw(random)),
        rowDefect: drawnFate(index),
      }
    },
  }
}

/**
 * A company has one PAN, so no two owners may be the same company; the first owners, as many as there are companies,
 * get one each.
 */
function distinctCompanies(companies: CompanyBook): (index: number) => Company | undefined {
  const step = companies.count % 7_368_787 === 0 ? 7_368_811 : 7_368_787
  return (index) => (index < companies.count ? companies.at((index * step) % companies.count) : undefined)
}

function identityOf(
  random: Random,
  drawn: Constitution,
  findCompany: () => Company | undefined,
  offices: Weighted<Registrar>,
): Omit<Owner, 'pan' | 'taxpayerType'> {
  const incorporated = drawn === privateLimited || drawn === publicLimited || drawn === partnershipLimited
  const company = incorporated ? findCompany() : undefined
  if (company) {
    const actual = !company.form ? partnershipLimited : company.form.class === 'Public' ? publicLimited : privateLimited
    const { name, activity, registrar, registeredDay } = company
    return { legalName: name, tradeName: name, constitution: actual, activity, registrar, foundedDay: registeredDay }
  }
  const activity = activities.pick(random)
  const tradeName = companyName(random, coinedWord(random), activity.words)
  const registrar = offices.pick(random)
  const shared = { constitution: drawn, activity, registrar, foundedDay: startOfGst }
  if (drawn === proprietorship) {
    const { first, middle, last } = personName(random)
    return { ...shared, legalName: [first, middle, last].filter(Boolean).join(' '), tradeName }
  }
  const legalName = `${tradeName} ${drawn.suffix}`
  return { ...shared, legalName, tradeName: random.chance(0.8) ? legalName : tradeName }
}
