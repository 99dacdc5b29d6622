/** Words and signs of other query languages, and their equivalents in ours. */
import { type Keyword, keywords, type Token } from './tokens.ts'

const foreignWords: Readonly<Record<string, string>> = {
  LIKE: 'CONTAINS',
  ILIKE: 'CONTAINS',
  CONTAIN: 'CONTAINS',
  INCLUDES: 'CONTAINS',
  MATCHES: 'CONTAINS',
  HAS: 'CONTAINS',
  EQUALS: '==',
  EQ: '==',
  NE: '!=',
  GT: '>',
  GTE: '>=',
  LT: '<',
  LTE: '<=',
  AFTER: '>',
  ABOVE: '>',
  SINCE: '>=',
  BEFORE: '<',
  BELOW: '<',
  UNDER: '<',
  STARTSWITH: 'STARTS_WITH',
  BEGINSWITH: 'STARTS_WITH',
  ENDSWITH: 'ENDS_WITH',
  EMPTY: 'NULL',
  MISSING: 'NULL',
  BLANK: 'NULL',
}

/** The keyword that a lower-case or foreign word means, if it fits here. */
export function keywordFor(token: Token, fitting: readonly string[]): string | undefined {
  if (token.kind !== 'word') return undefined
  const upper = token.value.toUpperCase()
  const known: readonly string[] = keywords
  const meant = known.includes(upper) ? upper : foreignWords[upper]
  return meant !== undefined && fitting.some((each) => each.split(' ').includes(meant)) ? meant : undefined
}

interface ForeignOperator {
  /** As written. */
  readonly raw: string
  readonly op: '==' | '!=' | '>' | '>=' | '<' | '<=' | Keyword
  /** The condition is negated by a NOT before its field. */
  readonly isNegated: boolean
}

const phrases: readonly (readonly [RegExp, ForeignOperator['op']])[] = [
  [/(?:does\s+not|doesn't|not)\s+(?:contains?|like|include)\b/iy, 'CONTAINS'],
  [/(?:does\s+not|doesn't|not)\s+(?:starts?|begins?)[\s_]+with\b/iy, 'STARTS_WITH'],
  [/(?:does\s+not|doesn't|not)\s+ends?[\s_]+with\b/iy, 'ENDS_WITH'],
  [/(?:starts?|begins?)\s+with\b/iy, 'STARTS_WITH'],
  [/ends?\s+with\b/iy, 'ENDS_WITH'],
  [/(?:is\s+)?(?:greater|more)\s+than\b/iy, '>'],
  [/(?:is\s+)?(?:less|fewer)\s+than\b/iy, '<'],
  [/at\s+least\b/iy, '>='],
  [/at\s+most\b/iy, '<='],
  [/(?:is\s+)?equals?\s+to\b/iy, '=='],
]

/** An operator of several words at this position. */
export function foreignOperatorAt(query: string, at: number): ForeignOperator | undefined {
  for (const [shape, op] of phrases) {
    shape.lastIndex = at
    const raw = shape.exec(query)?.[0]
    if (raw !== undefined) return { raw, op, isNegated: /^(?:does|not)/i.test(raw) }
  }
  return undefined
}
