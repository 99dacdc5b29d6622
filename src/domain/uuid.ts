const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** True for text that PostgreSQL reads as a uuid; ids from outside are checked so that a malformed one is merely unknown. */
export function isUuid(text: string): boolean {
  return shape.test(text)
}
