import { readFileSync } from 'node:fs'

/** Reads a statement stored next to its module: `const merge = sqlFile(import.meta.url, 'merge.sql')`. */
export function sqlFile(moduleUrl: string, name: string): string {
  return readFileSync(new URL(name, moduleUrl), 'utf8')
}
