/**
 * Files that keep PostgreSQL from starting. Where its first process is killed, the others give up what they were doing: of an
 * unlogged table that was being made they take the initial file away and leave the table's own for the next checkpoint, which
 * never comes. Recovery makes the initial file anew, fills the table from it, as it does with each unlogged table, and fails: the
 * table's own file is there. A start removes that file, as recovery itself does for every unlogged table that it knows of before.
 */
import { existsSync, globSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const refusal = /FATAL: +could not create file "(?<path>base\/\d+\/\d+)": File exists/

/**
 * @param log what the server said since it was started.
 * @returns whether there was such a file: the next start may succeed.
 */
export function removeStrayFile(data: string, log: string): boolean {
  const path = refusal.exec(log)?.groups?.['path']
  if (path === undefined) return false
  const file = join(data, path)
  // Of an unlogged table alone, whose rows no crash survives.
  if (!existsSync(`${file}_init`)) return false
  for (const part of [file, ...globSync([`${file}.*`, `${file}_fsm`, `${file}_vm`])]) rmSync(part, { force: true })
  return true
}
