/** Registrars, towns and postal codes of the sample: public geography, so that PIN, district and state agree. */
import { at, Random, type StreamKey } from './random.ts'

export interface Town {
  readonly name: string
  readonly district: string
  readonly pins: readonly string[]
}

export interface Registrar {
  /** Characters 7 and 8 of its CINs. */
  readonly letters: string
  /** As the snapshots spell it: ROC Goa. */
  readonly office: string
  readonly state: string
  /** First two characters of the state's GSTINs. */
  readonly gstCode: string
  /** Companies of every hundred records. */
  readonly share: number
  readonly towns: readonly Town[]
}

const town = (line: string): Town => {
  const [name = '', district = '', pins = ''] = line.split('|')
  return { name, district, pins: pins.split(' ') }
}
const registrar = (line: string, ...towns: readonly string[]): Registrar => {
  const [letters = '', office = '', state = '', gstCode = '', share = ''] = line.split('|')
  return { letters, office: `ROC ${office}`, state, gstCode, share: Number(share), towns: towns.map(town) }
}

/** The shares sum to 99; the hundredth record is an LLP. */
export const registrars: readonly Registrar[] = [
  registrar(
    'MH|Mumbai|Maharashtra|27|16',
    'Mumbai|Mumbai|400001 400013 400021',
    'Andheri|Mumbai Suburban|400053 400069 400093',
    'Thane|Thane|400601',
  ),
  registrar('DL|Delhi|Delhi|07|13', 'New Delhi|New Delhi|110001', 'Okhla|South East|110020', 'Janakpuri|West|110058'),
  registrar('KA|Bangalore|Karnataka|29|9', 'Bengaluru|Bengaluru Urban|560001 560034 560066', 'Mysuru|Mysuru|570001'),
  registrar('TG|Hyderabad|Telangana|36|8', 'Hyderabad|Hyderabad|500003 500016 500034 500081'),
  registrar('WB|Kolkata|West Bengal|19|7', 'Kolkata|Kolkata|700001 700016 700019', 'Howrah|Howrah|711101'),
  registrar(
    'GJ|Ahmedabad|Gujarat|24|6',
    'Surat|Surat|395002 395007',
    'Vadodara|Vadodara|390001',
    'Rajkot|Rajkot|360001',
  ),
  registrar('UP|Kanpur|Uttar Pradesh|09|6', 'Kanpur|Kanpur Nagar|208001', 'Lucknow|Lucknow|226001 226010'),
  registrar('TN|Chennai|Tamil Nadu|33|6', 'Chennai|Chennai|600001 600017 600028', 'Madurai|Madurai|625001'),
  registrar('HR|Delhi|Haryana|06|4', 'Gurugram|Gurugram|122001 122002 122018', 'Faridabad|Faridabad|121001'),
  registrar(
    'RJ|Jaipur|Rajasthan|08|4',
    'Jaipur|Jaipur|302001 302015',
    'Udaipur|Udaipur|313001',
    'Jodhpur|Jodhpur|342001',
  ),
  registrar(
    'PN|Pune|Maharashtra|27|4',
    'Pune|Pune|411001 411004 411045',
    'Nashik|Nashik|422001',
    'Kolhapur|Kolhapur|416001',
  ),
  registrar(
    'KL|Ernakulam|Kerala|32|3',
    'Kochi|Ernakulam|682001 682016',
    'Thrissur|Thrissur|680001',
    'Kozhikode|Kozhikode|673001',
  ),
  registrar('MP|Gwalior|Madhya Pradesh|23|2', 'Indore|Indore|452001 452010', 'Bhopal|Bhopal|462001 462011'),
  registrar(
    'TZ|Coimbatore|Tamil Nadu|33|2',
    'Coimbatore|Coimbatore|641001 641018',
    'Erode|Erode|638001',
    'Salem|Salem|636001',
  ),
  registrar('BR|Patna|Bihar|10|2', 'Patna|Patna|800001 800020', 'Muzaffarpur|Muzaffarpur|842001'),
  registrar('AP|Vijayawada|Andhra Pradesh|37|2', 'Vijayawada|NTR|520001 520010'),
  registrar('GA|Goa|Goa|30|1', 'Panaji|North Goa|403001', 'Mapusa|North Goa|403507', 'Margao|South Goa|403601'),
  registrar('OR|Cuttack|Odisha|21|1', 'Bhubaneswar|Khordha|751001 751024', 'Cuttack|Cuttack|753001'),
  registrar('PB|Chandigarh|Punjab|03|1', 'Ludhiana|Ludhiana|141001', 'Jalandhar|Jalandhar|144001'),
  registrar('JH|Jharkhand|Jharkhand|20|1', 'Ranchi|Ranchi|834001', 'Dhanbad|Dhanbad|826001'),
  registrar('AS|Shillong|Assam|18|1', 'Guwahati|Kamrup Metro|781001 781005', 'Jorhat|Jorhat|785001'),
]

/** The office that registered the record at an index, and how many it registered before. */
export interface Slot {
  /** null for an LLP. */
  readonly registrar: Registrar | null
  readonly ordinal: number
}

/**
 * Every hundred records contain each office by its share, in an order derived from the seed, so ordinals need no
 * counting.
 */
export function registrarSlots(key: StreamKey): (index: number) => Slot {
  const slots: (Registrar | null)[] = registrars.flatMap((each) => Array<Registrar>(each.share).fill(each))
  slots.push(null)
  const random = new Random().reseed(key, 0)
  for (let last = slots.length - 1; last > 0; last--) {
    const other = random.below(last + 1)
    const kept = at(slots, last)
    slots[last] = at(slots, other)
    slots[other] = kept
  }
  const ranks = slots.map((slot, index) => slots.slice(0, index).filter((each) => each === slot).length)
  return (index) => {
    const slot = at(slots, index % slots.length)
    return {
      registrar: slot,
      ordinal: Math.floor(index / slots.length) * (slot?.share ?? 1) + at(ranks, index % slots.length),
    }
  }
}

const buildings =
  'Lotus Residency|Banyan Towers|Kaveri Chambers|Neem Arcade|Peepal Plaza|Saffron Heights|Monsoon House|Teak Court|Marigold Complex|Tamarind Square'.split(
    '|',
  )
const roads =
  'Old Mill Road|Lake View Marg|Station Road|Canal Street|Temple Tank Road|Ring Road|Market Lane|Hill Road|Cotton Market|Third Cross'.split(
    '|',
  )
const localities =
  'Ward 7|Sector 12|Civil Lines|Phase II Industrial Area|East Colony|New Extension|Old Town|Garden Layout|Green Park|River Side'.split(
    '|',
  )
const units = 'SHOP NO.|H NO|OFFICE NO|PLOT NO|FLAT NO|UNIT|S NO.'.split('|')

/** Parts of an address within a town. */
export interface Premises {
  readonly unit: string
  readonly number: number
  readonly building: string
  readonly road: string
  readonly locality: string
}

export function premises(random: Random): Premises {
  return {
    unit: random.pick(units),
    number: 1 + random.below(899),
    building: random.pick(buildings),
    road: random.pick(roads),
    locality: random.pick(localities),
  }
}
