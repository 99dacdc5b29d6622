/**
 * The functions of a file, each with a name that is stable when other lines change: the names on the path to it, and a
 * number among its siblings where it has none.
 */
import { parseSync } from 'oxc-parser'

export interface NamedFunction {
  /** `Parser.#term`, `default.handle.0`. */
  readonly name: string
  readonly start: number
  readonly end: number
}

interface Parsed {
  readonly type?: string
  readonly start?: number
  readonly end?: number
  readonly id?: { readonly name?: string } | null
  readonly key?: { readonly name?: string; readonly value?: unknown } | null
}

const isFunction = (type: string | undefined): boolean =>
  /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type ?? '')

export function functionsOf(path: string, source: string): readonly NamedFunction[] {
  const found: NamedFunction[] = []
  const unnamed = new Map<string, number>()
  const numbered = (way: readonly string[]): string => {
    const at = way.join('.')
    const number = unnamed.get(at) ?? 0
    unnamed.set(at, number + 1)
    return String(number)
  }
  /** @param called the name that the parent nodes give to this one. */
  const visit = (node: unknown, way: readonly string[], called: string | undefined): void => {
    if (typeof node !== 'object' || node === null) return
    if (Array.isArray(node)) {
      for (const each of node) visit(each, way, undefined)
      return
    }
    const { type, start = 0, end = 0, id, key } = node as Parsed
    const own = id?.name ?? key?.name ?? (typeof key?.value === 'string' ? key.value : undefined)
    if (isFunction(type)) {
      const name = own ?? called ?? numbered(way)
      found.push({ name: [...way, name].join('.'), start, end })
      for (const each of Object.values(node)) visit(each, [...way, name], undefined)
      return
    }
    const below = type === 'ClassDeclaration' || type === 'ClassExpression' ? [...way, own ?? 'class'] : way
    const names = type === 'ExportDefaultDeclaration' ? 'default' : own
    for (const each of Object.values(node)) visit(each, below, names)
  }
  visit(parseSync(path, source).program, [], undefined)
  return found
}

/** The innermost functions that contain the lines, counted from 1; none for lines at the level of the file. */
export function functionsAt(path: string, source: string, lines: readonly number[]): ReadonlySet<string> {
  const functions = functionsOf(path, source)
  const starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1), source.length + 1]
  const innermost = lines.flatMap((line) => {
    const [from = 0, to = 0] = [starts[line - 1], starts[line]]
    // The text of the line, without its indentation and line break.
    const text = source.slice(from, to - 1)
    const begins = from + text.length - text.trimStart().length
    const within = functions.filter(({ start, end }) => start <= begins && begins < end)
    return within.toSorted((a, b) => b.start - a.start).slice(0, 1)
  })
  return new Set(innermost.map(({ name }) => name))
}
