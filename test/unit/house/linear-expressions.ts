/**
 * Finds regular expressions that need more than linear time for some text, by scslre: what repeats into itself, two
 * repetitions that can share a text, and one that is begun anew at every place where it could start.
 */
import { parseSync } from 'oxc-parser'
import { analyse } from 'scslre'

/** Expressions that are put together at run time cannot be read; each needs its reason here. */
const composed: Readonly<Record<string, string>> = {
  'src/api/hooks/unknown-path.ts': 'of the paths of our own routes',
  'src/ingest/input/drop-folder/drop-folder.ts':
    "of an operator's pattern, for names of files of 255 characters at most",
  'src/registry/screener/resolve-value.ts': 'of a number of our own',
}

/** @returns one line per fault: path, line, the expression and what is wrong with it. */
export function slowExpressions(path: string, source: string): string[] {
  const faults: string[] = []
  const note = (at: number, what: string): void => {
    faults.push(`${path}:${source.slice(0, at).split('\n').length} ${what}`)
  }
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if (Array.isArray(node)) {
      for (const each of node) visit(each)
      return
    }
    const { type, start, regex, callee } = node as SyntaxNode
    if (type === 'Literal' && regex) {
      for (const report of analyse({ source: regex.pattern, flags: regex.flags }).reports) {
        const degree = report.exponential ? 'exponential' : 'quadratic or worse'
        note(start, `/${regex.pattern}/${regex.flags} is ${degree} (${report.type})`)
      }
    }
    if ((type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp' && !composed[path]) {
      note(start, 'an expression is put together at run time')
    }
    for (const child of Object.values(node)) visit(child)
  }
  visit(parseSync(path, source).program)
  return [...new Set(faults)]
}

interface SyntaxNode {
  readonly type?: string
  readonly start: number
  readonly regex?: { readonly pattern: string; readonly flags: string }
  readonly callee?: { readonly name?: string }
}
