/**
 * What each test file was recorded to execute, kept until the file changes: next to the packages, outside version
 * control.
 */
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { functionsOf, type NamedFunction } from './functions.ts'
import type { Called } from './take.ts'

/** By file, relative to the repository: the names of the functions called. */
export type Executed = Readonly<Record<string, readonly string[]>>

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = join(root, 'node_modules/.cache/panji-executed')
const Kept = z.record(z.string(), z.array(z.string()))

const nameOf = (test: string): string => test.replaceAll('/', '+')
const digestOf = (test: string): string =>
  createHash('sha256')
    .update(readFileSync(join(root, test)))
    .digest('hex')
    .slice(0, 16)

export function keepRecord(test: string, called: Called): void {
  const named = Object.entries(called).map(
    ([path, ranges]) => [path, ranges.flatMap((range) => functionCalled(path, range) ?? [])] as const,
  )
  const executed = Object.fromEntries(named.filter(([, functions]) => functions.length > 0))
  mkdirSync(folder, { recursive: true })
  for (const old of globSync(`${nameOf(test)}.*.json`, { cwd: folder })) rmSync(join(folder, old))
  writeFileSync(join(folder, `${nameOf(test)}.${digestOf(test)}.json`), JSON.stringify(executed))
}

/** For the tests recorded in their current version. */
export function readRecords(tests: readonly string[]): ReadonlyMap<string, Executed> {
  const kept = new Set(globSync('*.json', { cwd: folder }))
  return new Map(
    tests.flatMap((test) => {
      const file = `${nameOf(test)}.${digestOf(test)}.json`
      return kept.has(file) ? [[test, Kept.parse(JSON.parse(readFileSync(join(folder, file), 'utf8')))] as const] : []
    }),
  )
}

const functionsByPath = new Map<string, readonly NamedFunction[]>()

/** V8 reports another start for a method than the parser: of the functions with this end, the nearest start wins. */
function functionCalled(path: string, range: string): string | undefined {
  const functions = functionsByPath.get(path) ?? functionsOf(path, readFileSync(join(root, path), 'utf8'))
  functionsByPath.set(path, functions)
  const [from, to] = range.split('-').map(Number)
  const distance = ({ start }: NamedFunction): number => Math.abs(start - (from ?? 0))
  const [nearest] = functions.filter(({ end }) => end === to).toSorted((a, b) => distance(a) - distance(b))
  return nearest?.name
}
