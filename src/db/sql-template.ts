/** Fills the placeholders of a statement's text. Parts are our own SQL; callers' values are bound instead. */

const place = /\/\* ([a-z_]+) \*\//g

/**
 * @param template a statement with placeholders, written as comments of one word; each occurrence is filled.
 * @throws Error naming a placeholder without a part, or a part without a placeholder: either is a bug.
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
