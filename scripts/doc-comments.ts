/** Reads the members of an object literal with the doc comment directly above each. */
export interface DocumentedMember {
  readonly name: string
  /** One line, without the comment's stars. */
  readonly comment: string
}

/** @param open the text that opens the literal; its members are indented by two spaces. */
export function documentedMembers(source: string, open: string): DocumentedMember[] {
  const start = source.indexOf(open)
  if (start < 0) throw new Error(`the source has no "${open}"`)
  const body = source.slice(start, source.indexOf('\n}', start))
  return [...body.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*\n {2}([A-Z][A-Z0-9_]*):/g)].map(
    ([, comment = '', name = '']) => ({
      name,
      comment: comment
        .replace(/\n\s*\*/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    }),
  )
}
