/** `gst-taxpayers`: registrations under the keys that the GST portal's public search uses. */
import { slashedDay } from './calendar.ts'
import { accented, mangledQuote } from './names.ts'
import type { CellDefects, NoiseKind } from './noise.ts'
import { premises } from './places.ts'
import { Random, type StreamKey, Weighted } from './random.ts'
import { cell } from './snapshot-file.ts'
import type { Taxpayer, TaxpayerBook } from './taxpayers.ts'

export const taxpayerHeader =
  'gstin,lgnm,tradeNam,ctb,dty,sts,rgdt,cxdt,lstupdt,nba,ntcrbs,bno,flno,bnm,st,loc,dst,city,stcd,pncd,adr,stj,ctj,hsncd,saccd'

const statuses = new Weighted<string>([
  ['Active', 560],
  ['Cancelled on application of Taxpayer', 260],
  ['Cancelled suo-moto', 150],
  ['Suspended', 18],
  ['Inactive', 8],
  ['Provisional', 4],
])

const activitiesOfCore = {
  MFT: [
    'Factory / Manufacturing',
    'Wholesale Business',
    'Export',
    'Import',
    'Warehouse / Depot',
    'Office / Sale Office',
  ],
  TRD: ['Wholesale Business', 'Retail Business', 'Import', 'Export', 'Warehouse / Depot', 'Office / Sale Office'],
  TRR: [
    'Retail Business',
    'Supplier of Services / Service Provision',
    'Wholesale Business',
    'Recipient of Goods or Services',
  ],
  SPO: [
    'Supplier of Services / Service Provision',
    'Works Contract',
    'Leasing Business',
    'Office / Sale Office',
    'Others',
  ],
} as const

type Noise = CellDefects<NoiseKind<'gst-taxpayers'>>

export function* taxpayerLines(
  book: TaxpayerBook,
  key: StreamKey,
  noiseKey: StreamKey,
  noise: Noise,
): Generator<string> {
  const random = new Random()
  const noiseRandom = new Random()
  let previous = ''
  for (let index = 0; index < book.count; index++) {
    const taxpayer = book.at(index)
    if (taxpayer.rowDefect !== 'clean') noise.count(taxpayer.rowDefect)
    if (taxpayer.rowDefect !== 'duplicate_row') {
      previous = taxpayerLine(
        taxpayer,
        book.today,
        random.reseed(key, index),
        noiseRandom.reseed(noiseKey, index),
        noise,
      )
    }
    yield previous
  }
}

function taxpayerLine(taxpayer: Taxpayer, today: number, random: Random, noiseRandom: Random, noise: Noise): string {
  const { registrar, town, activity, registeredDay } = taxpayer
  // New registrations are active; cancelled ones are older.
  const status = registeredDay > today - 365 ? 'Active' : statuses.pick(random)
  const cancelled = status.startsWith('Cancelled')
  const updatedDay = registeredDay + random.below(today - registeredDay + 1)
  const legalName = noise.occurs(noiseRandom, 'accented_letter') ? accented(taxpayer.legalName) : taxpayer.legalName
  const edge = noise.occurs(noiseRandom, 'edge_space') ? ' ' : ''
  const identity = `${gstinCell(taxpayer)},${cell(legalName + edge)},${cell(taxpayer.tradeName)},${taxpayer.constitution},${taxpayer.taxpayerType},${status}`
  const cancelledOn = cancelled ? slashedDay(updatedDay) : ''
  const dates = `${slashedDay(registeredDay)},${cancelledOn},${slashedDay(updatedDay)}`
  const business = `${firstOf(activitiesOfCore[activity.core], random, 3)},${activity.core}`
  const ward = 1 + random.below(60)
  const jurisdictions = `"State - ${registrar.state},Zone - ${town.district},Ward - ${town.name.toUpperCase()} ${ward}","Commissionerate - ${town.district.toUpperCase()},Division - DIVISION ${1 + random.below(6)},Range - RANGE ${ward}"`
  const codes = `${firstOf(activity.hsn, random, 4)},${firstOf(activity.sac, random, 3)}`
  return `${identity},${dates},${business},${addressCells(taxpayer, random, noiseRandom, noise)},${jurisdictions},${codes}\n`
}

function gstinCell({ gstin, rowDefect }: Taxpayer): string {
  if (rowDefect !== 'wrong_check_digit') return gstin
  return gstin.slice(0, 14) + (gstin.charAt(14) === '7' ? '8' : '7')
}

function addressCells({ registrar, town }: Taxpayer, random: Random, noiseRandom: Random, noise: Noise): string {
  const { unit, number, building, road, locality } = premises(random)
  const house = noise.occurs(noiseRandom, 'mojibake') ? `${building}${mangledQuote}s Annexe` : building
  const door = noise.occurs(noiseRandom, 'quote_inside') ? `${unit} ${number} "B"` : `${unit} ${number}`
  const street = noise.occurs(noiseRandom, 'runs_of_spaces') ? road.replace(' ', '   ') : road
  const pin = noise.occurs(noiseRandom, 'pin_zero') ? '000000' : random.pick(town.pins)
  const shownPin = noise.occurs(noiseRandom, 'leading_space_in_pin') ? ` ${pin}` : pin
  const floor = random.chance(0.3) ? `Floor ${random.below(9)}` : ''
  const parts = [door, floor, house, street, locality, town.name, town.district, registrar.state, pin]
  const whole = parts.filter(Boolean).join(', ')
  return `${cell(door)},${floor},${house},${street},${locality},${town.district},${town.name},${registrar.state},${shownPin},${cell(whole)}`
}

/** One to `most` distinct values, joined like the portal's lists in a flat file. */
function firstOf(values: readonly string[], random: Random, most: number): string {
  const wanted = Math.min(values.length, 1 + random.below(most))
  const start = random.below(values.length)
  return [...values, ...values].slice(start, start + wanted).join(';')
}
