/**
 * Reads the tokens of a query one by one, and reports a token that does not fit: its position, what was expected, and a
 * suggestion.
 */
import { comparisonOperators } from './ast.ts'
import { keywordFor } from './foreign-words.ts'
import { type Mistake, queryMistake } from './mistake.ts'
import { type Token, tokenise } from './tokens.ts'

export class TokenReader {
  readonly query: string
  readonly #tokens: readonly Token[]
  #next = 0

  constructor(query: string) {
    this.query = query
    this.#tokens = tokenise(query)
  }

  peek(): Token {
    const token = this.#tokens[this.#next]
    if (!token) throw new Error('the parser read past the end token')
    return token
  }

  /** The end token stays: reading past it again reports the same end. */
  advance(): Token {
    const token = this.peek()
    if (token.kind !== 'end') this.#next += 1
    return token
  }

  /** Skips tokens that were read directly from the text. */
  skipTo(at: number): void {
    while (this.peek().kind !== 'end' && this.peek().at < at) this.#next += 1
  }

  take(kind: 'keyword' | 'sign', value: string): boolean {
    const token = this.peek()
    if (token.kind !== kind || token.value !== value) return false
    this.#next += 1
    return true
  }

  /** Whether the next token joins the preceding condition to something else, or closes it. */
  endsCondition(): boolean {
    const { kind, value } = this.peek()
    return (
      kind === 'end' ||
      (kind === 'sign' && value === ')') ||
      (kind === 'keyword' && (value === 'AND' || value === 'OR'))
    )
  }

  mistake(token: Token, mistake: Omit<Mistake, 'at' | 'found'>): Error {
    return queryMistake(this.query, {
      at: token.at,
      found: token.kind === 'end' ? token.value : token.raw,
      ...mistake,
    })
  }

  /** A complete condition is followed by something that does not join it to the next one. */
  leftOver(expected: readonly string[]): Error {
    const token = this.peek()
    const keyword = keywordFor(token, ['AND', 'OR'])
    const startsCondition = token.kind === 'word' || token.value === '(' || token.value === 'NOT'
    if (keyword === undefined && startsCondition) {
      const message = 'Two conditions are joined by AND or OR.'
      return this.mistake(token, { message, expected, suggestion: `AND ${token.raw}` })
    }
    const closing = token.kind === 'end' && expected.includes(')')
    const several = token.value === ',' ? ' Put several values in a list: IN [first, second].' : ''
    const message = closing ? 'A parenthesis is not closed.' : `${token.raw} does not fit here.${several}`
    return this.mistake(token, { message, expected, suggestion: closing ? ')' : keyword })
  }

  /** The end of a text of several words without quotes: a word before an operator is the next field. */
  endOfWords(first: Token): number {
    let end = first.at + first.raw.length
    for (let index = this.#next; this.#tokens[index]?.kind === 'word'; index += 1) {
      const [word, next] = [this.#tokens[index], this.#tokens[index + 1]]
      const isField = next?.kind === 'sign' ? comparisonOperators.some((each) => each === next.value) : false
      if (!word || isField || keywordFor(word, ['AND', 'OR']) !== undefined) break
      end = word.at + word.raw.length
    }
    return end
  }
}
