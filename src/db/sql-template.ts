/** Puts parts into the places of a statement's text. A part is SQL of our own; what callers send is bound instead. */

const place = /\/\* ([a-z_]+) \*\//g

/**
 * @param template a statement with places written as a comment of one word, each of them filled wherever it stands.
 * @throws Error naming a place without a part, or a part without a place: either is a mistake of ours.
 */
export function fillSql(template: string, parts: Readonly<Record<string, string>>): string {
  const places = new Set([...template.matchAll(place)].map(([, name]) => name))
  const astray = Object.keys(parts).filter((name) => !places.has(name))
  if (astray.length > 0) throw new Error(`the statement has no place for ${astray.join(', ')}`)
  return template.replace(place, (_whole, name: string) => {
    const part = parts[name]
    if (part === undefined) throw new Error(`nothing fills the place ${name} of the statement`)
    return part
  })
}
