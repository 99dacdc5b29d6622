/**
 * The steps of a long bench, each done once: the result of a step is stored in a file next to its database, and a
 * resumed run reads it from there.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

export interface Steps {
  /** @returns the step's result, from now or from the earlier run. */
  once<T extends object | number>(name: string, work: () => Promise<T>): Promise<T>
  told(): Readonly<Record<string, unknown>>
}

/** @param about what must be the same in a resumed run, such as the sizes. */
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
