/**
 * The steps of a long bench, each done once: what a step told is kept in a file beside its database, and a later run that goes
 * on with the same folder takes it from there.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

export interface Steps {
  /** @returns what the step told, now or in the run before. */
  once<T extends object | number>(name: string, work: () => Promise<T>): Promise<T>
  told(): Readonly<Record<string, unknown>>
}

/** @param about what must be the same in a run that goes on, the sizes for one. */
export function openSteps(path: string, about: unknown): Steps {
  const kept = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Kept) : { about, told: {} }
  if (JSON.stringify(kept.about) !== JSON.stringify(about)) {
    throw new Error(`the folder is of ${JSON.stringify(kept.about)}; name another one for ${JSON.stringify(about)}`)
  }
  const keep = () => {
    writeFileSync(`${path}.partial`, JSON.stringify(kept, null, 2))
    renameSync(`${path}.partial`, path)
  }
  keep()
  return {
    async once<T extends object | number>(name: string, work: () => Promise<T>) {
      if (!Object.hasOwn(kept.told, name)) {
        kept.told[name] = await work()
        keep()
      }
      return kept.told[name] as T
    },
    told: () => kept.told,
  }
}

interface Kept {
  readonly about: unknown
  readonly told: Record<string, unknown>
}
