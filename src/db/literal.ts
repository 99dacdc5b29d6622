import pg from 'pg'

/** A text as a literal of SQL, quoted whatever it holds: for what config declares. Values of callers are bound instead. */
export const literal = (text: string): string => pg.escapeLiteral(text)
