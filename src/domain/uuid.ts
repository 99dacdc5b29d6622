const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * True for text that PostgreSQL accepts as a uuid. Ids from outside are checked so that a malformed one counts as
 * unknown.
 */
export function isUuid(text: string): boolean {
  return shape.test(text)
}
