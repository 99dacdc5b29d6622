/** What changed in the checkout according to git, and which code that is. */
import { execFileSync } from 'node:child_process'
import { posix } from 'node:path'

const root = new URL('../', import.meta.url)

const lines = (command: readonly string[]): string[] =>
  execFileSync('git', command, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)

/** Each file with its changed lines; all lines of a new file. */
export function changedLines(since: string | undefined): Map<string, readonly number[]> {
  const untracked = lines(['ls-files', '--others', '--exclude-standard'])
  const isOpen = since === undefined && (untracked.length > 0 || lines(['diff', '--name-only', 'HEAD']).length > 0)
  const tracked = linesInDiff(lines(['diff', '--unified=0', '--no-ext-diff', isOpen ? 'HEAD' : (since ?? 'HEAD~1')]))
  return new Map([...tracked, ...(isOpen ? untracked.map((path) => [path, []] as const) : [])])
}

/** From the output of `git diff --unified=0`: for deleted lines, the line above them. */
export function linesInDiff(diff: readonly string[]): Map<string, readonly number[]> {
  const found = new Map<string, readonly number[]>()
  let path = ''
  for (const line of diff) {
    path = /^diff --git a\/.* b\/(.*)$/.exec(line)?.[1] ?? path
    const [, from, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? []
    const hunk =
      from === undefined ? [] : Array.from({ length: Math.max(1, Number(count)) }, (_, at) => Number(from) + at)
    found.set(path, [...(found.get(path) ?? []), ...hunk])
  }
  found.delete('')
  return found
}

/**
 * A page of the console belongs to the tests of the console, a statement to the code next to it, and any file to the
 * files that name it.
 */
export function codeOf(path: string, sources: ReadonlyMap<string, string>): string[] {
  if (sources.has(path)) return [path]
  const known = [...sources.keys()]
  if (path.startsWith('web/')) return known.filter((each) => each.startsWith('test/console/'))
  if (path.startsWith('migrations/')) return ['src/db/migrate.ts']
  const naming = known.filter((each) => sources.get(each)?.includes(posix.basename(path)))
  const siblings = known.filter((each) => posix.dirname(each) === posix.dirname(path) && !each.endsWith('.test.ts'))
  return naming.length > 0 ? naming : siblings
}
