/** Formats statements for review: a list longer than a line has one item per line, so that a diff shows the item. */

const lineMax = 120

/**
 * Positions of the commas that separate the items of a line's outermost list of three or more; quoted text is ignored.
 */
function outermostCommas(line: string): number[] {
  const found: { readonly at: number; readonly depth: number }[] = []
  let depth = 0
  let isQuoted = false
  for (const [at, letter] of [...line].entries()) {
    if (letter === "'") isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (letter === '(' || letter === '[') depth += 1
    else if (letter === ')' || letter === ']') depth -= 1
    else if (letter === ',' && at < line.length - 1) found.push({ at, depth })
  }
  const counts = Map.groupBy(found, (comma) => comma.depth)
  const [outermost] = [...counts.keys()].filter((each) => (counts.get(each)?.length ?? 0) > 1).toSorted((a, b) => a - b)
  return found.filter((comma) => comma.depth === outermost).map(({ at }) => at)
}

function broken(line: string): string[] {
  const commas = line.length > lineMax ? outermostCommas(line) : []
  if (commas.length === 0) return [line]
  const indent = `${/^ */.exec(line)?.[0] ?? ''}  `
  const ends = [...commas.map((at) => at + 1), line.length]
  const items = ends.map((end, index) => line.slice(ends[index - 1] ?? 0, end))
  return items.flatMap((item, index) => broken(index === 0 ? item : indent + item.trim()))
}

export const breakLists = (statement: string): string => statement.split('\n').flatMap(broken).join('\n')
