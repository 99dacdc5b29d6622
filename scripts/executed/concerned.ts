/**
 * Attributes a change outside all functions to the functions that mention what it declares, in its own file and in its
 * importers, following re-declarations further. A test may mention it itself.
 */
import { parseSync } from 'oxc-parser'
import { functionsAt } from './functions.ts'
import type { Change } from './likelihood.ts'

interface Declared {
  readonly names: readonly string[]
  readonly from: number
  readonly to: number
}

export function changesConcerned(
  path: string,
  lines: readonly number[],
  sources: ReadonlyMap<string, string>,
  importers: ReadonlyMap<string, readonly string[]>,
): readonly Change[] {
  const found: Change[] = []
  const seen = new Set<string>()
  const follow = (file: string, name: string): void => {
    if (seen.has(`${file} ${name}`)) return
    seen.add(`${file} ${name}`)
    for (const user of [file, ...(importers.get(file) ?? [])]) {
      const source = sources.get(user) ?? ''
      const mentions = linesWith(source, name)
      if (user.endsWith('.test.ts') && mentions.length > 0)
        found.push({ path: user, functions: new Set(), isWhole: true })
      const functions = functionsAt(user, source, mentions)
      if (functions.size > 0) found.push({ path: user, functions, isWhole: false })
      for (const next of declaredAt(user, source, outside(user, source, mentions))) follow(user, next)
    }
  }
  for (const name of declaredAt(path, sources.get(path) ?? '', outside(path, sources.get(path) ?? '', lines)))
    follow(path, name)
  return found
}

const outside = (path: string, source: string, lines: readonly number[]): readonly number[] =>
  lines.filter((line) => functionsAt(path, source, [line]).size === 0)

function linesWith(source: string, name: string): number[] {
  const word = new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`)
  return source.split('\n').flatMap((line, index) => (word.test(line) ? [index + 1] : []))
}

/** The declarations on the changed lines, and those passed on from another file. */
function declaredAt(path: string, source: string, lines: readonly number[]): readonly string[] {
  if (lines.length === 0) return []
  const lineOf = (offset: number) => source.slice(0, offset).split('\n').length
  const declarations = parseSync(path, source).program.body.flatMap((node): Declared[] => {
    const inner = node.type === 'ExportNamedDeclaration' ? (node.declaration ?? node) : node
    const names =
      inner.type === 'VariableDeclaration'
        ? inner.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
        : inner.type === 'ExportNamedDeclaration'
          ? inner.specifiers.flatMap(({ exported }) => (exported.type === 'Identifier' ? [exported.name] : []))
          : []
    return names.length > 0 ? [{ names, from: lineOf(node.start), to: lineOf(node.end) }] : []
  })
  const within = declarations.filter(({ from, to }) => lines.some((line) => from <= line && line <= to))
  return [...new Set(within.flatMap(({ names }) => names))]
}
