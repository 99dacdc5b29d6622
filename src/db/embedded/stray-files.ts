/**
 * Removes a file that keeps PostgreSQL from starting. If the postmaster is killed while an unlogged table is being
 * created, the other processes abort: they delete the table's init fork and leave its main file to the next checkpoint,
 * which never comes. Recovery recreates the init fork and copies it to the main file, as for every unlogged table, and
 * fails because that file exists. So the next start removes it, as recovery itself does for the unlogged tables that it
 * knows about.
 */
import { existsSync, globSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const refusal = /FATAL: +could not create file "(?<path>base\/\d+\/\d+)": File exists/

/**
 * @param log the server's output since its start.
 * @returns whether such a file was removed, so that the next start may succeed.
 */
export function removeStrayFile(data: string, log: string): boolean {
  const path = refusal.exec(log)?.groups?.['path']
  if (path === undefined) return false
  const file = join(data, path)
  // Only files of unlogged tables, whose rows no crash survives anyway.
  if (!existsSync(`${file}_init`)) return false
  for (const part of [file, ...globSync([`${file}.*`, `${file}_fsm`, `${file}_vm`])]) rmSync(part, { force: true })
  return true
}
