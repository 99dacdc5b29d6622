/** Generated company rows in the 2023+ format, cheap to make and varied enough: names, places, capital. */

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'

const header =
  'CIN,CompanyName,CompanyROCcode,CompanyCategory,CompanySubCategory,CompanyClass,AuthorizedCapital,PaidupCapital,CompanyRegistrationdate_date,Registered_Office_Address,Listingstatus,CompanyStatus,CompanyStateCode,CompanyIndian/Foreign Company,nic_code,CompanyIndustrialClassification\n'
const states = [
  ['MH', 'Mumbai', 'Maharashtra', 'Mumbai', 'Andheri', 400],
  ['DL', 'Delhi', 'Delhi', 'South West', 'Dwarka', 110],
  ['KA', 'Bangalore', 'Karnataka', 'Bengaluru Urban', 'Jayanagar', 560],
  ['TN', 'Chennai', 'Tamil Nadu', 'Chennai', 'Adyar', 600],
  ['GJ', 'Ahmedabad', 'Gujarat', 'Ahmedabad', 'Navrangpura', 380],
  ['WB', 'Kolkata', 'West Bengal', 'Kolkata', 'Salt Lake', 700],
] as const
const syllables = 'ka ra ni ta mo lu shi va den pra gol mer sun tek nova bri zen tal mis or'.split(' ')
const changes = ['Under CIRP', 'Under Liquidation', 'Converted to LLP']
/** As many descriptions as NIC has classes of industry. */
const industries = 1300
const statuses = ['Active', 'Active', 'Active', 'Strike Off', 'Under process of striking off', 'Amalgamated']

export interface CompanyFile {
  readonly rows: number
  /** Every how many companies the status differs from the file without changes; 0 for none. */
  readonly changeEvery?: number
  /** Which other status, so that consecutive refreshes all change something. */
  readonly turn?: number
  /** Another country: no two seeds share a company. */
  readonly seed?: number
}

/** Writes companies, always the same for the same seed; more rows only append. */
export async function writeCompanies(path: string, options: CompanyFile): Promise<void> {
  const { rows, changeEvery = 0, turn = 0 } = options
  const file = createWriteStream(path)
  let seed = options.seed ?? 42
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((seed / 2 ** 32) * below)
  }
  const word = (): string =>
    Array.from({ length: 2 + next(2) }, () => syllables[next(syllables.length)])
      .join('')
      .toUpperCase()
  file.write(header)
  let block = ''
  for (let index = 0; index < rows; index++) {
    const [letters, registrar, state, district, town, pin] = states[next(states.length)] ?? states[0]
    const year = 1995 + next(30)
    const nic = String(1110 + next(95_000)).padStart(5, '0')
    const cin = `U${nic}${letters}${year}PTC${String(index % 1_000_000).padStart(6, '0')}`
    // Drawn in any case, so that both variants draw the same companies.
    const drawn = statuses[next(statuses.length)]
    const status = changeEvery > 0 && index % changeEvery === 0 ? (changes[turn] ?? 'Dormant') : drawn
    const day = `${year}-${String(1 + next(12)).padStart(2, '0')}-${String(1 + next(28)).padStart(2, '0')}`
    const address = `"${next(900)} ${word()} ROAD,   ${word()} NAGAR,${town},${district},${state},${pin}${String(1 + next(90)).padStart(3, '0')}-India"`
    block += `${cin},${word()} ${word()} ${word()} PRIVATE LIMITED,ROC ${registrar},Company limited by shares,Non-government company,Private,${(1 + next(90)) * 100_000}.00,${(1 + next(9)) * 10_000}.00,${day},${address},Unlisted,${status},${state.toLowerCase()},Indian,${nic},"Other activities of class ${Number(nic) % industries}, not elsewhere classified"\n`
    if (block.length > 1 << 20) {
      if (!file.write(block)) await once(file, 'drain')
      block = ''
    }
  }
  file.end(block)
  await once(file, 'finish')
}
