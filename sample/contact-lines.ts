/**
 * `contacts`: addresses for about 85 % of the records. Domains are reserved for examples. Numbers have the shape of
 * Indian ones and begin with +91 6610 or +91 6611: read as area code 661, the subscriber's part would begin with 0 or 1,
 * which India does not issue, and no mobile series that begins so is known to us.
 */
import type { EntityType } from '../src/domain/identity.ts'
import type { CompanyBook } from './companies.ts'
import type { DirectorBook } from './directors.ts'
import type { CellDefects, NoiseKind } from './noise.ts'
import { Random, type StreamKey } from './random.ts'
import type { TaxpayerBook } from './taxpayers.ts'

export const contactHeader = 'entity,identifier,email,mobile,phone,website,origin'

const shareWithContact = 0.85
const roles = ['info', 'accounts', 'office', 'sales', 'admin', 'contact']
const origins = ['registrar filing', 'tax filing', 'website', 'partner']

type Noise = CellDefects<NoiseKind<'contacts'>>

/** A record that the registers will hold, and what its mail domain is named after. */
interface Reachable {
  readonly entity: EntityType
  readonly identifier: string
  readonly word: string
}

export function* contactLines(
  companies: CompanyBook,
  taxpayers: TaxpayerBook,
  directors: DirectorBook,
  key: StreamKey,
  noise: Noise,
): Generator<string> {
  const random = new Random()
  let stream = 0
  for (const records of [companiesOf(companies), taxpayersOf(taxpayers), directorsOf(directors)]) {
    for (const record of records) {
      random.reseed(key, stream)
      const tag = (stream++).toString(36)
      if (!random.chance(shareWithContact)) continue
      const line = contactLine(record, tag, random)
      yield line
      if (noise.occurs(random, 'duplicate_row')) yield line
    }
  }
}

function contactLine({ entity, identifier, word }: Reachable, tag: string, random: Random): string {
  const domain = `${word}-${tag}.example.in`
  const hasMobile = random.chance(0.88)
  const hasEmail = !hasMobile || random.chance(0.92)
  const email = entity === 'director' ? `${word}.${tag}@example.com` : `${random.pick(roles)}@${domain}`
  const subscriber = () => String(random.below(1_000_000)).padStart(6, '0')
  const mobile = hasMobile ? `+916610${subscriber()}` : ''
  const phone = random.chance(0.3) ? `+916611${subscriber()}` : ''
  const website = entity === 'company' && random.chance(0.4) ? `https://www.${domain}` : ''
  return `${entity},${identifier},${hasEmail ? email : ''},${mobile},${phone},${website},${random.pick(origins)}\n`
}

function* companiesOf(book: CompanyBook): Generator<Reachable> {
  for (let index = 0; index < book.count; index++) {
    const { id, coined, rowDefect } = book.at(index)
    if (rowDefect === 'duplicate_row' || rowDefect === 'malformed_cin') continue
    yield { entity: 'company', identifier: id, word: coined.toLowerCase() }
  }
}

function* taxpayersOf(book: TaxpayerBook): Generator<Reachable> {
  for (let index = 0; index < book.count; index++) {
    const { gstin, tradeName, rowDefect } = book.at(index)
    if (rowDefect !== 'clean') continue
    yield { entity: 'gst', identifier: gstin, word: tradeName.slice(0, tradeName.indexOf(' ')).toLowerCase() }
  }
}

function* directorsOf(book: DirectorBook): Generator<Reachable> {
  for (let index = 0; index < book.count; index++) {
    const { din, name, rowDefect } = book.at(index)
    if (rowDefect !== 'clean') continue
    yield { entity: 'director', identifier: din, word: `${name.first}.${name.last}`.toLowerCase() }
  }
}
