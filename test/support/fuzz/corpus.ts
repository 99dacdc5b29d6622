/**
 * Requests found by fuzzing, each the shortest with its operation and answer: they are sent in every run, because the
 * draws of a seed change with each schema. One JSON object a line; ids created by a run are written as `{watchlist.0}`.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { ApiOperation } from '../openapi.ts'
import type { FuzzRequest, LivingIds } from '../request-arbitrary.ts'

const file = fileURLToPath(new URL('../../fixtures/fuzz/corpus.jsonl', import.meta.url))
const lengthMax = 1_000

const Line = z.strictObject({
  operation: z.string(),
  answered: z.string(),
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().optional(),
})
type Line = z.infer<typeof Line>

const readLines = (): Line[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => Line.parse(JSON.parse(line)))
    : []

/** Lines of removed operations are skipped. */
export function corpusOf(operations: readonly ApiOperation[], ids: LivingIds): FuzzRequest[] {
  const byName = new Map(operations.map((each) => [each.name, each]))
  return readLines().flatMap(({ operation: name, method, url, headers, body }) => {
    const operation = byName.get(name)
    return operation ? [{ operation, method, url: named(url, ids), headers, body }] : []
  })
}

const named = (url: string, ids: LivingIds): string =>
  url.replaceAll(/\{([\w-]+)\.(\d+)\}/g, (whole, segment: string, at: string) => ids[segment]?.[Number(at)] ?? whole)

function unnamed(url: string, ids: LivingIds): string {
  const all = Object.entries(ids).flatMap(([segment, each]) =>
    each.map((id, at) => [id, `{${segment}.${at}}`] as const),
  )
  return all.reduce((text, [id, name]) => text.replaceAll(`/${id}`, `/${name}`), url)
}

export interface CorpusGrowth {
  add(request: FuzzRequest, answered: string, ids: LivingIds): void
  write(): void
}

/** For each operation and answer the shortest request is kept. */
export function growCorpus(): CorpusGrowth {
  const keyOf = ({ operation, method, answered }: Line) => `${operation} ${method} ${answered}`
  const lines = new Map(readLines().map((line) => [keyOf(line), line]))
  return {
    add({ operation, method, url, headers, body }, answered, ids) {
      const line = Line.parse({ operation: operation.name, answered, method, url: unnamed(url, ids), headers, body })
      const { length } = JSON.stringify(line)
      const known = lines.get(keyOf(line))
      if (length < (known ? JSON.stringify(known).length : lengthMax)) lines.set(keyOf(line), line)
    },
    write() {
      const sorted = [...lines].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => JSON.stringify(line))
      writeFileSync(file, `${sorted.join('\n')}\n`)
    },
  }
}
