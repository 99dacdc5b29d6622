/** What a row says of one column of its register, by the rule that the source declares for it. */
import type { ColumnRule, DateOrder, NamePart, Source } from '../../../config/sources/source.ts'
import { contactValueOf, emailsOf, mobilesOf } from './contacts.ts'
import { dateOf } from './days.ts'
import { companyIdOf, companyTypeOf, dinOf, gstinKindOf, gstinOf, panOf, partsOfCin } from './identifiers.ts'
import { pincodeOf, stateOf, stateOfIdentifier } from './places.ts'
import { tariffOf } from './tariff.ts'
import { amountOf, integerOf, Rejected, textOf, wordOf } from './texts.ts'

export type Value = string | number | readonly string[] | null

export interface Row {
  readonly source: Source
  /** The cell of a field; undefined where the file does not carry it. */
  cell(field: string | undefined): string | undefined
  has(field: string | undefined): boolean
  order(field: string): DateOrder | undefined
}

/** What an identifier says by itself: it never takes the place of a value. */
export interface Filling {
  readonly fills: Value
}
/** What is read of another column: where that one is as before, so is this; with `even` also where it is empty. */
export interface Following {
  readonly follows: string
  readonly value: Value
  readonly even?: true
}
/**
 * Of what is put together from several columns, some of which the file lacks: pieces that the register has are no news of it. They
 * are those of a text, or of a list, which may stand in a column of its own.
 */
export interface Piecemeal {
  readonly pieces: Value
  readonly separator?: string
  readonly among?: string
}
/** Says nothing of the column, except that it is empty where the one beside it turns to the word. */
export interface Removing {
  readonly removedBy: { readonly column: string; readonly word: string }
}
/** Undefined where the row says nothing of the column: the register keeps what it has. */
export type Said = Value | Filling | Following | Piecemeal | Removing | undefined

const required = <T>(value: T | null): T => {
  if (value === null) throw new Rejected('value_missing')
  return value
}
const allowed = <T>(value: T, among: readonly T[] | undefined): T => {
  if (value !== null && among && !among.includes(value)) throw new Rejected('value_not_allowed')
  return value
}
const titleCase = (text: string) => text.toLowerCase().replace(/(^|[^\p{L}'])\p{L}/gu, (sign) => sign.toUpperCase())

export function read(rule: ColumnRule, row: Row): Said {
  const { cell, has, source } = row
  switch (rule.kind) {
    case 'company-id':
      return companyIdOf(cell(rule.from))
    case 'din':
      return dinOf(cell(rule.from))
    case 'gstin':
      return gstinOf(cell(rule.from))
    case 'any-identifier': {
      const entity = textOf(cell(rule.entityFrom))?.toLowerCase()
      try {
        if (entity === 'company') return companyIdOf(cell(rule.from))
        return entity === 'director' ? dinOf(cell(rule.from)) : gstinOf(cell(rule.from))
      } catch {
        throw new Rejected('identifier_malformed')
      }
    }
    case 'text': {
      if (!has(rule.from)) return rule.fallback
      const text = textOf(cell(rule.from)) ?? rule.fallback ?? null
      const written = rule.letterCase === 'lower' ? text?.toLowerCase() : rule.letterCase && text && titleCase(text)
      const value = allowed(rule.letterCase ? (written ?? null) : text, rule.oneOf)
      return rule.required ? required(value) : value
    }
    case 'word':
      return has(rule.from) ? wordOf(cell(rule.from), rule.vocabulary) : undefined
    case 'registrar':
      return has(rule.from) ? wordOf(cell(rule.from), 'registrar') : undefined
    case 'amount': {
      const paise = amountOf(cell(rule.from))
      return has(rule.from) ? paise && paise / 100 : undefined
    }
    case 'integer': {
      if (!has(rule.from)) return rule.fallback
      const value = allowed(integerOf(cell(rule.from), rule.max) ?? rule.fallback ?? null, rule.oneOf)
      return rule.required ? required(value) : value
    }
    case 'pincode':
      required(textOf(cell(rule.from)))
      if (pincodeOf(cell, { pincode: rule.from }) === null) throw new Rejected('number_unreadable')
      return pincodeOf(cell, { pincode: rule.from })
    case 'date': {
      if (has(rule.from)) return dateOf(cell(rule.from), row.order(rule.from))
      const beside = source.columns[rule.removedBy?.column ?? '']
      return rule.removedBy && beside?.kind === 'word' && has(beside.from) ? { removedBy: rule.removedBy } : undefined
    }
    case 'list':
      return has(rule.from)
        ? (cell(rule.from) ?? '').split(rule.separator).flatMap((piece) => textOf(piece) ?? [])
        : { fills: [] }
    case 'previous-ids':
      return has(rule.from) ? previousIdsOf(cell(rule.from)) : undefined
    case 'contact': {
      if (!rule.from.some(has)) return undefined
      const cells = rule.from.map(cell)
      if (rule.part === 'landlines' || rule.part === 'phone') return rule.from.every(has) ? null : undefined
      const found = rule.part.startsWith('email') ? emailsOf(cells) : mobilesOf(cells)
      const value = rule.part.endsWith('s') ? found : (found?.[0] ?? null)
      if (rule.from.every(has)) return value
      const list = Object.entries(source.columns).find(
        ([, of]) => of.kind === 'contact' && of.part === (rule.part.endsWith('s') ? rule.part : `${rule.part}s`),
      )
      return list ? { pieces: value, among: list[0] } : value
    }
    case 'contact-value':
      return contactValueOf(cell(rule.from))
    case 'full-name': {
      if (![rule.from, ...rule.parts].some(has)) return undefined
      const name = textOf(cell(rule.from)) ?? textOf(rule.parts.flatMap((part) => textOf(cell(part)) ?? []).join(' '))
      const isWhole = has(rule.from) || rule.parts.every(has)
      return isWhole ? required(name) : { pieces: name, separator: ' ' }
    }
    case 'name-part': {
      const { parts, fullFrom } = rule
      if (has(parts[rule.part])) return namePart(row, parts)[rule.part]
      if (!has(fullFrom)) return undefined
      const words = (textOf(cell(fullFrom)) ?? '').split(' ')
      const last = words.pop() || null
      const [first = null, ...middle] = words
      // How a file with the parts has cut a name stands while the name is the same.
      return { follows: 'full_name', even: true, value: { first, middle: middle.join(' ') || null, last }[rule.part] }
    }
    case 'derived':
      return derived(rule, row)
    case 'nic-vintage': {
      const day = dateOf(cell(rule.dateFrom), row.order(rule.dateFrom))
      const cin = partsOfCin(companyIdOf(cell(rule.from)))
      if (!cin && textOf(cell('nicCode')) === null) return has('nicCode') ? null : { fills: null }
      const ofCin = cin?.year
      const year = day === null ? ofCin : Number(day.slice(0, 4))
      const vintage = year !== undefined && year >= 2023 ? 2008 : 2004
      // A day that the file empties is gone from the record, and the identifier speaks for it.
      return has(rule.dateFrom) ? vintage : { fills: vintage }
    }
    case 'nic-description': {
      // Of digits that the file does not tell, or not the list that they are of, its words say nothing new.
      const text = textOf(cell(rule.from))
      return has(rule.from) && has('nicCode') && has('registeredOn') ? text : { fills: text }
    }
    case 'place': {
      const { place = {} } = source
      if (rule.part === 'pincode') return [place.pincode, place.address].some(has) ? pincodeOf(cell, place) : undefined
      if (rule.part === 'state') {
        const told = stateOf(cell, place)
        const from = place.identifier?.letters === 'cin' ? companyIdOf : gstinOf
        const ofId = place.identifier
          ? stateOfIdentifier(from(cell(place.identifier.from)), place.identifier.letters)
          : null
        if (has(place.state)) return told ?? ofId
        const [address] =
          Object.entries(source.columns).find(([, of]) => of.kind === 'text' && of.from === place.address) ?? []
        return address !== undefined && has(place.address) ? { follows: address, value: told ?? ofId } : { fills: ofId }
      }
      if (rule.part === 'district') return has(place.district) ? textOf(cell(place.district)) : undefined
      // Where no town is told the district stands for it.
      const [own, ...others] = place.city ?? []
      const told =
        [own, ...others, place.district].map((field) => textOf(cell(field))).find((text) => text !== null) ?? null
      if (has(own)) return told
      return [...others, place.district, place.pincode].some(has) ? { fills: told } : undefined
    }
    case 'tariff': {
      if (rule.part === 'description') return textOf(cell(rule.hsn)) ?? textOf(cell(rule.sac)) ?? ''
      return tariffOf(cell(rule.hsn), cell(rule.sac))[rule.part]
    }
    case 'address': {
      const said = (fields: readonly string[]) => fields.flatMap((field) => textOf(cell(field)) ?? [])
      const parts = said(rule.parts)
      const told = parts.length === 0 ? null : [...parts, ...said(rule.placeParts)].join(', ')
      const address = textOf(cell(rule.whole)) ?? told
      // An empty cell of the whole says nothing of parts that the file does not carry.
      if (!rule.parts.some(has)) return address ?? (has(rule.whole) ? { fills: null } : undefined)
      return [...rule.parts, ...rule.placeParts].every(has) ? address : { pieces: address, separator: ', ' }
    }
    default:
      return undefined
  }
}

/** One word alone is the last name, in whichever cell it stands, and so is a middle name that none follows. */
function namePart(
  { cell, has }: Row,
  parts: Readonly<Record<NamePart, string>>,
): Readonly<Record<NamePart, string | null>> {
  const [first, middle, last] = [parts.first, parts.middle, parts.last].map((field) => textOf(cell(field)))
  const told = [first, middle, last].flatMap((each) => each ?? [])
  const [only] = told
  if (has(parts.last) && told.length === 1 && only !== undefined) return { first: null, middle: null, last: only }
  if (has(parts.last) && !last && middle) return { first: first ?? null, middle: null, last: middle }
  return { first: first ?? null, middle: middle ?? null, last: last ?? null }
}

function previousIdsOf(cell: string | undefined): string[] | null {
  const found = (cell ?? '').split(/[;,|]/).flatMap((piece) => {
    try {
      return companyIdOf(piece)
    } catch {
      return []
    }
  })
  return found.length === 0 ? null : found
}

function derived(rule: Extract<ColumnRule, { kind: 'derived' }>, { cell, has }: Row): Said {
  const told = textOf(cell(rule.prefer))
  const whole = has(rule.prefer) ? (value: Value): Said => value : (value: Value): Said => ({ fills: value })
  switch (rule.by) {
    case 'company-type':
      return companyTypeOf(companyIdOf(cell(rule.from)))
    case 'listing':
      return told === null ? whole(partsOfCin(companyIdOf(cell(rule.from)))?.listing ?? null) : wordOf(told, 'listing')
    case 'nic-code':
    case 'main-division': {
      const digits = told?.padStart(5, '0') ?? partsOfCin(companyIdOf(cell(rule.from)))?.nic
      if (digits === undefined) return whole(null)
      return whole(rule.by === 'nic-code' ? Number(digits) : digits.slice(0, 2))
    }
    case 'gstin-kind':
      return gstinKindOf(gstinOf(cell(rule.from)))
    case 'gstin-pan':
      return panOf(gstinOf(cell(rule.from)))
    case 'gstin-state-code':
      return gstinOf(cell(rule.from)).slice(0, 2)
  }
}
