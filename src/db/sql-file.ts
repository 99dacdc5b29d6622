import { readFileSync } from 'node:fs'

/** Reads a statement that lies beside its step: `const merge = sqlFile(import.meta.url, 'merge.sql')`. */
export function sqlFile(moduleUrl: string, name: string): string {
  return readFileSync(new URL(name, moduleUrl), 'utf8')
}
