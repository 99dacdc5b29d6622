/**
 * Composes SQL text: sql`SELECT ${columns} FROM ${table}`. All parts are our own SQL; a text from config is inserted as
 * a `literal`, never between quotes, and callers' values are bound instead. A house test enforces both.
 */
import pg from 'pg'

/** @throws Error if a part is missing or not text: a statement with a gap would mean something else. */
export function sql(texts: TemplateStringsArray, ...parts: readonly (string | number)[]): string {
  return String.raw({ raw: texts }, ...parts.map(written))
}

function written(part: unknown): string {
  if (typeof part === 'string') return part
  if (typeof part === 'number' && Number.isFinite(part)) return String(part)
  throw new Error(`a statement has no place for ${Array.isArray(part) ? 'a list' : String(part)}`)
}

/** A text as an SQL literal, safely quoted. */
export const literal = (text: string): string => pg.escapeLiteral(text)

/** A column name as an SQL identifier, safely quoted. */
export const identifier = (name: string): string => pg.escapeIdentifier(name)
