/** The billing details of invoices: validation of what a buyer enters, and what is still missing. */
import { parseGstin } from './gstin.ts'
import { states } from './states.ts'

export interface BillingDetails {
  readonly legalName: string
  readonly address: string
  /** Two-digit code of the buyer's state. */
  readonly placeOfSupply: string
  /** For a registered buyer. */
  readonly gstin: string | null
}

export type BillingReading =
  | { readonly ok: true; readonly details: BillingDetails }
  /** `message` is a sentence that begins with the member. */
  | {
      readonly ok: false
      readonly member: 'legal_name' | 'address' | 'place_of_supply' | 'gstin'
      readonly message: string
    }

/** The code of a jurisdiction that is no place of supply. */
const ofNoPlace = '99'
/** Codes of states that were merged or divided and that tax returns no longer accept, with their successors. */
const presentCodes: Readonly<Record<string, string>> = { 25: '26', 28: '37' }
const names = new Map(
  states.flatMap(({ name, gstCodes }) => gstCodes.filter((code) => code !== ofNoPlace).map((code) => [code, name])),
)

/** @param given without a place of supply, that of the GSTIN is used. */
export function readBillingDetails(given: {
  readonly legalName: string
  readonly address: string
  readonly placeOfSupply?: string | null | undefined
  readonly gstin?: string | null | undefined
}): BillingReading {
  const wrong = (member: 'legal_name' | 'address' | 'place_of_supply' | 'gstin', why: string): BillingReading => ({
    ...{ ok: false, member, message: `${member} ${why}` },
  })
  const [legalName, address] = [tidy(given.legalName), tidy(given.address)]
  for (const [member, text] of [['legal_name', legalName] as const, ['address', address] as const]) {
    if (text === '') return wrong(member, 'is empty.')
    const letter = unprintable(text)
    if (letter !== undefined) return wrong(member, `holds ${nameOf(letter)}, which no invoice can show. Leave it out.`)
  }
  const reading = given.gstin ? parseGstin(given.gstin) : undefined
  if (reading && !reading.ok) {
    const hint = reading.expected === undefined ? '' : `: its check digit should be ${reading.expected}`
    return wrong('gstin', `is not a valid GSTIN${hint}.`)
  }
  const gstin = reading?.ok ? reading.value : null
  const placeOfSupply = given.placeOfSupply ?? gstin?.slice(0, 2)
  if (placeOfSupply === undefined) {
    return wrong('place_of_supply', 'is missing. Send the two digits of your state, such as 27 for Maharashtra.')
  }
  const state = names.get(placeOfSupply)
  if (state === undefined) return wrong('place_of_supply', 'is no code of a state, such as 27 for Maharashtra.')
  const present = presentCodes[placeOfSupply]
  if (present !== undefined) {
    return wrong('place_of_supply', `is ${placeOfSupply}, the code of ${state} in former years. Send ${present}.`)
  }
  if (gstin !== null && !gstin.startsWith(placeOfSupply)) {
    return wrong(
      'place_of_supply',
      `is ${state} (${placeOfSupply}), and the GSTIN is of ${names.get(gstin.slice(0, 2))} (${gstin.slice(0, 2)}). Name the state of the GSTIN.`,
    )
  }
  return { ok: true, details: { legalName, address, placeOfSupply, gstin } }
}

const tidy = (text: string) =>
  text
    .normalize('NFC')
    .split(/\r?\n/)
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')

/** The first character that the invoice fonts cannot show: they cover the Basic Multilingual Plane. */
const unprintable = (text: string): string | undefined =>
  [...text].find(
    (letter) =>
      letter !== '\n' && ((letter.codePointAt(0) ?? 0) > 0xffff || /[\p{Cc}\p{Co}\p{Cn}\p{Cs}\ufffd]/u.test(letter)),
  )

const nameOf = (letter: string) => `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
