/**
 * The project's functions that this process called since the last call. V8 counts calls from when this file is loaded;
 * top-level code runs once per process, for whichever test comes first, and is not reported.
 */
import { type Profiler, Session } from 'node:inspector'

/** By file, relative to the repository: start and end of the called functions, as `12-345`. */
export type Called = Readonly<Record<string, readonly string[]>>

const root = new URL('../../', import.meta.url).href
const isOurs = /^(?:src|config|connectors|sandboxes|sample|jobs|client|scripts(?!\/executed))\//
const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

export function takeCalled(): Called {
  let scripts: readonly Profiler.ScriptCoverage[] = []
  session.post('Profiler.takePreciseCoverage', (error, taken) => {
    if (error) throw error
    scripts = taken.result
  })
  const parts = scripts.flatMap(({ url, functions }) => {
    const [file = ''] = url.split('?')
    const path = file.slice(root.length)
    if (!file.startsWith(root) || !isOurs.test(path)) return []
    const called = functions.flatMap(({ ranges: [range] }) =>
      range && range.count > 0 ? [`${range.startOffset}-${range.endOffset}`] : [],
    )
    return called.length > 0 ? [{ [path]: called }] : []
  })
  return merged(parts)
}

export function merged(parts: readonly Called[]): Called {
  const all = new Map<string, Set<string>>()
  for (const [path, called] of parts.flatMap((part) => Object.entries(part)))
    all.set(path, new Set([...(all.get(path) ?? []), ...called]))
  return Object.fromEntries([...all].map(([path, called]) => [path, [...called]]))
}
