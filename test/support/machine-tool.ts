/** A tool installed on the machine that gives a second opinion, for example `promtool`. */
import { spawnSync } from 'node:child_process'

/** Whether the tool runs here; where it does not, prints which tests are skipped and how to enable them. */
export function hasTool(name: string, debianPackage: string): boolean {
  const there = spawnSync(name, ['--version'], { stdio: 'ignore' }).error === undefined
  if (!there) console.warn(`skipped: ${name} is not installed here (Debian: ${debianPackage})`)
  return there
}

/** @returns the exit code and the whole output. */
export function runTool(name: string, parameters: readonly string[]): { code: number | null; printed: string } {
  const { status, stdout, stderr } = spawnSync(name, parameters, { encoding: 'utf8' })
  return { code: status, printed: `${stdout}${stderr}` }
}
