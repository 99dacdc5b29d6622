/** The conditions that a phrase's parts express for one register; parts without a field there express none. */
import type { ScreenerType } from '../screener/fields.ts'
import { quoted } from '../screener/tokens.ts'
import type { Found, Item } from './items.ts'

export interface Claim {
  /** The part, or the two parts of a capital and its amount. */
  readonly of: readonly Found[]
  readonly field: string
  /** What follows the field, with a leading space; empty for a flag. */
  readonly condition: string
  /** Claims of one group are joined by OR. */
  readonly group: string | undefined
  /** The value, if the claim is an equality. */
  readonly value?: string
}

const fields = {
  company: { state: 'State', day: 'dateOfIncorporation', name: 'company' },
  gst: { state: 'state', day: 'DateOfRegistration', name: 'TradeName' },
} as const

export const isOfGst = (item: Item): boolean =>
  item.kind === 'register' ||
  (item.kind === 'word' && item.isGst === true) ||
  (item.kind === 'code' && item.type === 'gst')

/** Words that only make a sentence. */
export const isSilent = ({ kind }: Item): boolean => ['swallowed', 'joiner', 'noun', 'register'].includes(kind)

export function claimsOf(found: readonly Found[], type: ScreenerType): readonly Claim[] {
  const capitals = type === 'company' ? capitalsOf(found) : []
  return found
    .flatMap((each, place): readonly Claim[] => {
      const capital = capitals.find(({ of }) => of[0] === each)
      if (capital) return [capital]
      const claim = claimOf(each, place, found, type)
      return claim ? [claim] : []
    })
    .toSorted((one, other) => firstOf(one) - firstOf(other))
}

const firstOf = ({ of }: Claim): number => Math.min(...of.map(({ first }) => first))

function claimOf(each: Found, place: number, found: readonly Found[], type: ScreenerType): Claim | undefined {
  const { item } = each
  const equal = (field: string, value: string, isNegated: boolean, group: string): Claim => ({
    of: [each],
    field,
    condition: ` ${isNegated ? '!=' : '=='} ${quoted(value)}`,
    group: isNegated ? undefined : group,
    value,
  })
  const other = (field: string, condition: string, group?: string): Claim => ({ of: [each], field, condition, group })
  switch (item.kind) {
    case 'word': {
      const said = item.says[type]
      return said && equal(said.field, said.value, isDenied(found, place), said.field)
    }
    case 'place':
      if (isStateOfDistrict(found, place)) return other(fields[type].state, ` == ${quoted(item.name)}`)
      return equal(item.field === 'state' ? fields[type].state : item.field, item.name, isDenied(found, place), 'place')
    case 'pin':
      return equal('Pincode', item.code, false, 'Pincode')
    case 'days':
      return other(fields[type].day, ` ${item.condition}`)
    case 'reach':
      return isDenied(found, place)
        ? other(`NOT has_${item.way}`, '')
        : other(`has_${item.way}`, '', joinedBefore(found, place, 'reach'))
    case 'industry':
      return type === 'company'
        ? other('NICDesc', ` CONTAINS ${quoted(item.word)}`, joinedBefore(found, place, 'industry'))
        : undefined
    case 'code': {
      const [field = '', ...rest] = item.condition.split(' ')
      return item.type === undefined && type === 'gst' ? undefined : other(field, ` ${rest.join(' ')}`)
    }
    case 'name':
      return other(fields[type].name, ` ${item.operator} ${quoted(item.text)}`)
    default:
      return undefined
  }
}

type Word = Extract<Item, { kind: 'word' }>

/** A capital with the amount after it, else with the one before it; only filler words may be in between. */
function capitalsOf(found: readonly Found[]): readonly Claim[] {
  const used = new Set<Found>()
  return found.flatMap((each, place): readonly Claim[] => {
    if (each.item.kind !== 'capital') return []
    const isLoud = ({ item }: Found) => item.kind !== 'swallowed'
    const near = [found.slice(place + 1).find(isLoud), found.slice(0, place).findLast(isLoud)]
    const amount = near.find((one) => one?.item.kind === 'amount' && !used.has(one))
    if (amount?.item.kind !== 'amount') return []
    used.add(amount)
    return [{ of: [each, amount], field: each.item.field, condition: ` ${amount.item.condition}`, group: undefined }]
  })
}

/**
 * `Pune, Maharashtra` is one place: the district and its state, without a joiner and not followed by a list of states.
 */
function isStateOfDistrict(found: readonly Found[], place: number): boolean {
  const item = found[place]?.item
  if (item?.kind !== 'place' || item.field !== 'state' || item.isNegated) return false
  const before = found.slice(0, place).findLast(({ item: { kind } }) => kind !== 'swallowed')?.item
  const [next, afterNext] = found.slice(place + 1).filter(({ item: { kind } }) => kind !== 'swallowed')
  const isInList = (next?.item.kind === 'joiner' ? afterNext : next)?.item.kind === 'place'
  return before?.kind === 'place' && before.field === 'District' && !before.isNegated && !isInList
}

/** The preceding part of the same kind, if only a joiner is in between. */
function neighbour(
  found: readonly Found[],
  place: number,
  kind: Item['kind'],
): { place: number; or: boolean } | undefined {
  let or = false
  let isJoined = false
  for (let before = place - 1; before >= 0; before--) {
    const item = found[before]?.item
    if (item?.kind === 'joiner') {
      isJoined = true
      or ||= item.or
    } else if (item?.kind !== 'swallowed') {
      return item?.kind === kind && isJoined ? { place: before, or } : undefined
    }
  }
  return undefined
}

/**
 * `without a mobile or an e-mail` negates both; so does `not in Goa or Kerala`, and for one field `not dissolved or
 * struck off`.
 */
function isDenied(found: readonly Found[], place: number): boolean {
  const item = found[place]?.item
  if (item?.kind !== 'reach' && item?.kind !== 'place' && item?.kind !== 'word') return false
  if (item.isNegated) return true
  const before = neighbour(found, place, item.kind)
  const other = before && found[before.place]?.item
  if (!before || !other || (item.kind === 'word' && !(other.kind === 'word' && isOfOneField(item, other)))) return false
  return isDenied(found, before.place)
}

const isOfOneField = (one: Word, other: Word): boolean =>
  one.says.company?.field === other.says.company?.field && one.says.gst?.field === other.says.gst?.field

/** Parts joined by `or` share a group, named by the position of the first; industries share one whatever joins them. */
function joinedBefore(found: readonly Found[], place: number, kind: 'reach' | 'industry'): string {
  const before = neighbour(found, place, kind)
  return before && (before.or || kind === 'industry') ? joinedBefore(found, before.place, kind) : `${kind} ${place}`
}
