/**
 * Mutations of a statement: conjuncts become true, comparisons shift by one or are reversed, conflict clauses and locks
 * are ignored. The text is tokenised, not parsed; mutants that PostgreSQL cannot parse are not counted.
 */
import type { Mutation } from './mutation.ts'

/** What ends a conjunct at its own depth of parentheses. */
const enders =
  /^(AND|OR|WHERE|GROUP|ORDER|LIMIT|OFFSET|RETURNING|HAVING|UNION|EXCEPT|FOR|WINDOW|THEN|WHEN|ELSE|END|LEFT|INNER|CROSS|JOIN|FROM|SELECT|INSERT|UPDATE|DELETE|ON|DO|SET|AS|;|,)$/

const comparisons: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '=': '<>',
  '<>': '=',
}

interface Token {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly depth: number
}

/** The text with comments and quoted texts blanked, at the same length. */
export const masked = (text: string): string =>
  text.replace(/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"/g, (found) =>
    found.startsWith('-') || found.startsWith('/') ? ' '.repeat(found.length) : 'x'.repeat(found.length),
  )

/** @param text without what is no SQL in it, of the same length @param offset of the text in its file */
export function sqlMutations(text: string, offset = 0): Mutation[] {
  const tokens = tokensOf(masked(text))
  const found: Mutation[] = []
  const add = (kind: string, start: number, end: number, replacement: string): void => {
    found.push({ kind, start: start + offset, end: end + offset, replacement })
  }
  tokens.forEach((token, index) => {
    const next = tokens[index + 1]
    if (token.text === 'WHERE' || (token.text === 'AND' && !isOfBetween(tokens, index))) {
      const last = tokens[endOfConjunct(tokens, index) - 1]
      if (next && last && last !== token) add(`drop ${token.text} conjunct`, next.start, last.end, 'true')
    }
    if (token.text === 'AND' && !isOfBetween(tokens, index)) add('AND to OR', token.start, token.end, 'OR')
    if (token.text === 'NOT' && next?.text === 'EXISTS') add('drop NOT', token.start, token.end, '')
    if (token.text === 'IS' && next?.text === 'NULL') add('IS NULL to IS NOT NULL', token.start, token.end, 'IS NOT')
    if (token.text === 'FOR' && next && /^(UPDATE|SHARE|NO|KEY)$/.test(next.text)) {
      let last = index + 1
      while (/^(UPDATE|SHARE|NO|KEY|OF|SKIP|LOCKED|NOWAIT)$/.test(tokens[last + 1]?.text ?? ''))
        last += tokens[last + 1]?.text === 'OF' ? 2 : 1
      add('drop the lock', token.start, tokens[last]?.end ?? token.end, '')
    }
    if (token.text === 'ON' && next?.text === 'CONFLICT') {
      const does = tokens.findIndex((each, at) => at > index && each.depth === token.depth && each.text === 'DO')
      const nothing = tokens[does + 1]
      if (does > 0 && nothing?.text === 'NOTHING') add('drop ON CONFLICT', token.start, nothing.end, '')
    }
    const turned = isAssignment(tokens, index) ? undefined : comparisons[token.text]
    if (turned !== undefined) add(`${token.text} to ${turned}`, token.start, token.end, turned)
    if (token.text === '+') add('+ to -', token.start, token.end, '-')
    if (token.text === '-') add('- to +', token.start, token.end, '+')
  })
  return found
}

/** Operators count only between spaces, as in comparisons and sums. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let depth = 0
  for (const match of text.matchAll(/[()]|[;,]|(?<=\s)(?:<=|>=|<>|=|<|>|\+|-)(?=\s)|[^\s();,]+/g)) {
    if (match[0] === ')') depth -= 1
    tokens.push({ text: match[0], start: match.index, end: match.index + match[0].length, depth })
    if (match[0] === '(') depth += 1
  }
  return tokens
}

function endOfConjunct(tokens: readonly Token[], from: number): number {
  const depth = tokens[from]?.depth ?? 0
  for (let at = from + 1; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined || token.depth < depth) return at
    if (token.depth !== depth || (token.text === 'AND' && isOfBetween(tokens, at))) continue
    if (enders.test(token.text) && !(token.text === 'FROM' && tokens[at - 1]?.text === 'DISTINCT')) return at
  }
  return tokens.length
}

function isOfBetween(tokens: readonly Token[], index: number): boolean {
  const depth = tokens[index]?.depth
  for (let at = index - 1; at >= 0; at -= 1) {
    const token = tokens[at]
    if (token === undefined || token.depth < (depth ?? 0)) return false
    if (token.depth !== depth) continue
    if (token.text === 'BETWEEN') return true
    if (enders.test(token.text)) return false
  }
  return false
}

/** In `SET a = b, c = d`, `=` compares nothing. */
function isAssignment(tokens: readonly Token[], index: number): boolean {
  const depth = tokens[index]?.depth
  for (let at = index - 1; at >= 0; at -= 1) {
    const token = tokens[at]
    if (token === undefined || token.depth < (depth ?? 0)) return false
    if (token.depth !== depth) continue
    if (token.text === 'SET') return true
    if (/^(WHERE|AND|OR|ON|WHEN|SELECT|FROM|HAVING)$/.test(token.text)) return false
  }
  return false
}
