/**
 * Text of SQL that is put together: sql`SELECT ${columns} FROM ${table}`. What enters it is SQL of ours; a text that config
 * declares enters as a `literal`, never between quotes, and what callers send is bound instead. A house test holds both.
 */
import pg from 'pg'

/** @throws Error where a part is missing, or is no text at all: a statement with a hole would say something else. */
export function sql(texts: TemplateStringsArray, ...parts: readonly (string | number)[]): string {
  return String.raw({ raw: texts }, ...parts.map(written))
}

function written(part: unknown): string {
  if (typeof part === 'string') return part
  if (typeof part === 'number' && Number.isFinite(part)) return String(part)
  throw new Error(`a statement has no place for ${Array.isArray(part) ? 'a list' : String(part)}`)
}

/** A text as a literal of SQL, quoted whatever it holds. */
export const literal = (text: string): string => pg.escapeLiteral(text)

/** A name of a column as SQL takes it, quoted whatever it holds. */
export const identifier = (name: string): string => pg.escapeIdentifier(name)
