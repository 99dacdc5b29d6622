/**
 * Finds a duplicate name in an object of a body. `JSON.parse` silently keeps the last value, and the other one, say of
 * two sums, would be lost.
 */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g

/**
 * @param value the result of `JSON.parse`. @param names how many there are, from `jsonShape`. @returns undefined where
 * there are no duplicates.
 */
export function repeatedName(text: string, value: unknown, names: number): string | undefined {
  if (names === countMembers(value)) return undefined
  const open: Set<string>[] = []
  let last = ''
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{' || token === '[') open.push(new Set())
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':') {
      const name = String(JSON.parse(last))
      if (open.at(-1)?.has(name)) return name
      open.at(-1)?.add(name)
    } else last = token
  }
  return undefined
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const within = Object.values(value)
  let members = Array.isArray(value) ? 0 : within.length
  for (const each of within) members += countMembers(each)
  return members
}
