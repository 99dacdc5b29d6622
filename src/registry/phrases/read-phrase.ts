/**
 * Translates a plain phrase into a screener query: `private companies in Goa registered this month with a mobile`.
 * Reports each part that was understood, and each that was not: nothing is guessed.
 */
import type { ScreenerType } from '../screener/fields.ts'
import { claimsOf, isOfGst, isSilent } from './claims.ts'
import { queryOf } from './compose.ts'
import type { Found } from './items.ts'
import { scan, type Vocabularies } from './scan.ts'
import { tokensOf } from './tokens.ts'

export interface PhrasePart {
  /** As it was typed, and where. */
  readonly text: string
  readonly from: number
  readonly to: number
}

export interface ReadPart extends PhrasePart {
  readonly condition: string
}

export interface PhraseReading {
  readonly type: ScreenerType
  /** Empty if nothing was understood. */
  readonly query: string
  readonly parts: readonly ReadPart[]
  readonly unread: readonly PhrasePart[]
}

/** @param type of the records unless the phrase says it. */
export function readPhrase(phrase: string, known: Vocabularies, type: ScreenerType = 'company'): PhraseReading {
  const tokens = tokensOf(phrase)
  const found = withIndustries(scan(phrase, tokens, known))
  const meant = found.some(({ item }) => isOfGst(item)) ? 'gst' : type
  const claims = claimsOf(found, meant)
  const claimed = new Set(claims.flatMap(({ of }) => of))
  const between = (first: number, end: number): PhrasePart => {
    const [from, to] = [tokens[first]?.from ?? 0, tokens[end - 1]?.to ?? 0]
    return { text: phrase.slice(from, to), from, to }
  }
  return {
    type: meant,
    query: queryOf(claims),
    parts: claims.map(({ of, field, condition }) => ({
      ...between(Math.min(...of.map(({ first }) => first)), Math.max(...of.map(({ end }) => end))),
      condition: `${field}${condition}`,
    })),
    unread: runsOf(found.filter((each) => !claimed.has(each) && !isSilent(each.item))).map(({ first, end }) =>
      between(first, end),
    ),
  }
}

/** Adjacent parts are reported as one. */
function runsOf(unread: readonly Found[]): readonly Pick<Found, 'first' | 'end'>[] {
  const runs: { first: number; end: number }[] = []
  for (const { first, end } of unread) {
    const last = runs.at(-1)
    if (last?.end === first) last.end = end
    else runs.push({ first, end })
  }
  return runs
}

/** An industry is a word before the word for the records, or at the beginning of the phrase: `hotels in Goa`. */
function withIndustries(found: readonly Found[]): readonly Found[] {
  return found.map((each, place) => {
    if (each.item.kind !== 'industry') return each
    const isRun = ({ item }: Found) => item.kind === 'industry' || item.kind === 'joiner'
    const next = found.slice(place + 1).find((one) => !isRun(one))?.item.kind
    const isFirst = found.slice(0, place).every((one) => isRun(one) || one.item.kind === 'swallowed')
    const names = next === 'noun' || next === 'word' || (isFirst && (next === undefined || next === 'swallowed'))
    return names ? each : { ...each, item: { kind: 'unread' } }
  })
}
