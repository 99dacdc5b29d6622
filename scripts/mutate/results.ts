/** The result of each mutant, one line each, kept over runs; and the report. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, posix } from 'node:path'
import { z } from 'zod'
import type { Mutant } from './mutation.ts'

const Result = z.object({
  id: z.string(),
  status: z.enum(['killed', 'timeout', 'survived', 'no tests', 'no program']),
  /** The first failing test. */
  by: z.string().optional(),
  tests: z.array(z.string()),
  milliseconds: z.number(),
})
export type Result = z.infer<typeof Result>

/** Of two lines for one mutant the later counts; an incomplete line is ignored. */
export function readResults(path: string): Map<string, Result> {
  const results = new Map<string, Result>()
  if (!existsSync(path)) return results
  for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
    const result = Result.safeParse(parsed(line))
    if (result.success) results.set(result.data.id, result.data)
  }
  return results
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Starts on a new line, even after an incomplete one. */
export function keepResult(path: string, result: Result): void {
  mkdirSync(dirname(path), { recursive: true })
  appendFileSync(path, `\n${JSON.stringify(result)}\n`)
}

/** Score per folder, and the survivors with file, line and change. */
export function report(mutants: readonly Mutant[], results: ReadonlyMap<string, Result>): string[] {
  const tried = mutants.flatMap((mutant) => {
    const result = results.get(mutant.id)
    return result ? [{ mutant, result }] : []
  })
  const folders = [...new Set(tried.map(({ mutant }) => posix.dirname(mutant.path)))].toSorted()
  const scores = ['', ...folders].map((folder) => {
    const own = tried.filter(({ mutant }) => folder === '' || posix.dirname(mutant.path) === folder)
    const count = (status: Result['status']): number => own.filter(({ result }) => result.status === status).length
    const [killed, timeouts, survived] = [count('killed'), count('timeout'), count('survived') + count('no tests')]
    const all = killed + timeouts + survived
    const share = all === 0 ? 'none' : `${((100 * (killed + timeouts)) / all).toFixed(1)} %`
    return `${folder === '' ? 'all' : folder}: ${share} of ${all} (${killed} killed, ${timeouts} timed out, ${survived} survived; ${count('no program')} not counted)`
  })
  const survivors = tried
    .filter(({ result }) => result.status === 'survived' || result.status === 'no tests')
    .toSorted((a, b) =>
      a.mutant.path === b.mutant.path ? a.mutant.line - b.mutant.line : a.mutant.path < b.mutant.path ? -1 : 1,
    )
    .map(({ mutant, result }) => `${describe(mutant)}${result.status === 'no tests' ? ' (no test sees it)' : ''}`)
  return [...scores, ...(survivors.length > 0 ? ['survived:', ...survivors] : [])]
}

/** A mutant in one line. */
export function describe({ path, line, kind, before, replacement }: Mutant): string {
  const short = (text: string): string => {
    const one = text.replace(/\s+/g, ' ').trim()
    return one.length > 70 ? `${one.slice(0, 69)}…` : one
  }
  return `${path}:${line} ${kind}: ${short(before) || 'nothing'} → ${short(replacement) || 'nothing'}`
}
