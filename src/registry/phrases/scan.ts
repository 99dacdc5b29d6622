/** Scans a phrase for the longest meaningful part at each position. */
import { amountAt, followedBy } from './amounts.ts'
import { daysAt, verbAt } from './days.ts'
import { fixedItem, fixedWordsMax } from './fixed-words.ts'
import type { Found, Item } from './items.ts'
import { type Places, placeAt } from './places.ts'
import type { Token } from './tokens.ts'

export interface Vocabularies {
  readonly places: Places
  /** Whether the word occurs in the industry lists. */
  readonly isIndustry: (word: string) => boolean
  /** The Indian day that `this month` is relative to. */
  readonly today: string
}

export function scan(phrase: string, tokens: readonly Token[], known: Vocabularies): readonly Found[] {
  const found: Found[] = []
  for (let first = 0; first < tokens.length; ) {
    const next = partAt(phrase, tokens, first, found, known)
    found.push(next)
    first = next.end
  }
  return found
}

type Part = readonly [Item, number] | undefined

function partAt(
  phrase: string,
  tokens: readonly Token[],
  first: number,
  before: readonly Found[],
  known: Vocabularies,
): Found {
  const token = tokens[first]
  const readers: readonly (() => Part)[] = [
    () => codeAt(tokens, first),
    () => nameAt(phrase, tokens, first, known),
    () => negatedAt(tokens, first, known),
    () => {
      const days = isBesideCapital(before) ? undefined : daysAt(phrase, tokens, first, known.today)
      return days && [{ kind: 'days', condition: days.condition }, days.end]
    },
    () => {
      const amount = amountAt(tokens, first)
      const isMeant = amount && (!amount.isBare || isBesideCapital(before) || capitalFollows(tokens, amount.end))
      return isMeant ? [{ kind: 'amount', condition: amount.condition }, amount.end] : undefined
    },
    () => pinAt(tokens, first),
    () => {
      const fixed = fixedAt(tokens, first)
      const place = placeAt(known.places, tokens, first)
      if (place && place.end >= (fixed?.[1] ?? 0))
        return [{ kind: 'place', field: place.field, name: place.name, isNegated: false }, place.end]
      return fixed
    },
    () => deniedAt(phrase, tokens, first, before, known),
    () => industryAt(tokens, first, known),
    () => (token?.kind === 'sign' ? [{ kind: 'swallowed' }, first + 1] : undefined),
  ]
  for (const read of readers) {
    const part = read()
    if (part) return { item: part[0], first, end: part[1] }
  }
  // `Companies registered in Goa`: a verb without a day is filler. After an unknown word it may mean anything: `newly
  // registered`.
  const verb = verbAt(tokens, first)
  const isOwn = before.at(-1)?.item.kind === 'unread'
  return { item: { kind: verb > 0 && !isOwn ? 'swallowed' : 'unread' }, first, end: first + Math.max(1, verb) }
}

function fixedAt(tokens: readonly Token[], first: number): Part {
  for (let count = Math.min(fixedWordsMax, tokens.length - first); count > 0; count--) {
    const part = tokens.slice(first, first + count)
    const words = part.filter(({ text }) => text !== '-').map(({ text }) => text)
    if (part[0]?.text === '-' || part.at(-1)?.text === '-') continue
    const item = fixedItem(words.join(' '))
    if (item) return [item, first + count]
  }
  return undefined
}

/** Only filler words may be between a capital and its amount. */
const isBesideCapital = (before: readonly Found[]): boolean =>
  before.findLast(({ item }) => item.kind !== 'swallowed')?.item.kind === 'capital'

function capitalFollows(tokens: readonly Token[], at: number): boolean {
  const fixed = fixedAt(tokens, at)
  if (fixed?.[0].kind === 'swallowed') return capitalFollows(tokens, fixed[1])
  return fixed?.[0].kind === 'capital'
}

function codeAt(tokens: readonly Token[], first: number): Part {
  const token = tokens[first]
  const code = tokens[first + 1]
  if (token?.kind === 'identifier') {
    const isGst = /^\d/.test(token.text)
    const condition = `${isGst ? 'GSTIN' : 'CIN'} == '${token.text.toUpperCase()}'`
    return [{ kind: 'code', type: isGst ? 'gst' : undefined, condition }, first + 1]
  }
  const isCode = code?.kind === 'number' && /^\d{2,8}$/.test(code.text)
  if (!isCode) return undefined
  if (token?.text === 'nic') return [{ kind: 'code', type: undefined, condition: `NICCode == ${code.text}` }, first + 2]
  if (token?.text !== 'hsn' && token?.text !== 'sac') return undefined
  const condition = `${token.text}cd STARTS_WITH '${code.text}'`
  return [{ kind: 'code', type: 'gst', condition }, first + 2]
}

const pinWords = new Set(['pin', 'pincode', 'pincodes', 'pins'])
function pinAt(tokens: readonly Token[], first: number): Part {
  const led = followedBy(tokens, first, 'pin code') ? 2 : pinWords.has(tokens[first]?.text ?? '') ? 1 : 0
  const code = tokens[first + led]
  if (code?.kind !== 'number' || !/^[1-9]\d{5}$/.test(code.text) || code.to - code.from !== 6) return undefined
  return [{ kind: 'pin', code: code.text }, first + led + 1]
}

function negatedAt(tokens: readonly Token[], first: number, { places }: Vocabularies): Part {
  const led = followedBy(tokens, first, 'not in')
    ? 2
    : ['outside', 'except'].includes(tokens[first]?.text ?? '')
      ? 1
      : 0
  const place = led > 0 ? placeAt(places, tokens, first + led) : undefined
  if (place) return [{ kind: 'place', field: place.field, name: place.name, isNegated: true }, place.end]
  const without = withoutWords.has(tokens[first]?.text ?? '')
  if (!without && !negators.has(tokens[first]?.text ?? '')) return undefined
  const article = ['a', 'an', 'any', '-'].includes(tokens[first + 1]?.text ?? '') ? 1 : 0
  const denied = fixedAt(tokens, first + 1 + article)
  if (denied?.[0].kind === 'reach' && without) return [{ ...denied[0], isNegated: true }, denied[1]]
  if (denied?.[0].kind === 'word' && !without) return [{ ...denied[0], isNegated: true }, denied[1]]
  return undefined
}

const withoutWords = new Set(['without', 'no', 'lacking'])
const negators = new Set(['not', 'non', 'except', 'excluding', 'outside', 'never'])

/** A negation that cannot be expressed is not read at all: the query would mean the opposite. */
function deniedAt(
  phrase: string,
  tokens: readonly Token[],
  first: number,
  before: readonly Found[],
  known: Vocabularies,
): Part {
  const word = tokens[first]?.text ?? ''
  if (!negators.has(word) && !withoutWords.has(word)) return undefined
  for (let at = first + 1; at < tokens.length; ) {
    const { item, end } = partAt(phrase, tokens, at, before, known)
    if (['unread', 'noun', 'joiner', 'register'].includes(item.kind)) return undefined
    if (item.kind !== 'swallowed') return [{ kind: 'unread' }, end]
    at = end
  }
  return undefined
}

function industryAt(tokens: readonly Token[], first: number, { isIndustry }: Vocabularies): Part {
  const { kind, text = '' } = tokens[first] ?? {}
  return kind === 'word' && isIndustry(text) ? [{ kind: 'industry', word: text }, first + 1] : undefined
}

/** `called Konkan Foods in Goa`: the words up to the next meaningful one, or a quoted text. */
function nameAt(phrase: string, tokens: readonly Token[], first: number, known: Vocabularies): Part {
  const token = tokens[first]
  if (token?.kind === 'quoted') return [{ kind: 'name', operator: 'CONTAINS', text: token.text }, first + 1]
  const led = ['called', 'named', 'name', 'names'].includes(token?.text ?? '') ? first + 1 : first
  const begins = ['starting with', 'beginning with'].some((words) => followedBy(tokens, led, words))
  const start = begins ? led + 2 : led
  if (start === first || (token?.text.startsWith('name') === true && token.text !== 'named' && !begins))
    return undefined
  const operator = begins ? 'STARTS_WITH' : 'CONTAINS'
  if (tokens[start]?.kind === 'quoted') return [{ kind: 'name', operator, text: tokens[start].text }, start + 1]
  let end = start
  while (
    end < tokens.length &&
    partAt(phrase, tokens, end, [], { ...known, isIndustry: () => false }).item.kind === 'unread'
  )
    end += 1
  const [from, to] = [tokens[start]?.from, tokens[end - 1]?.to]
  return end === start ? undefined : [{ kind: 'name', operator, text: phrase.slice(from, to) }, end]
}
