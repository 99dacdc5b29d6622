/**
 * `npm run advisories`: asks the registry for advisories on the packages of package-lock.json. Exits with 1 if one is
 * high or critical, and warns if the registry has no advisory service: then nothing was checked.
 */
import { spawnSync } from 'node:child_process'

/** The output of `npm audit --json`. */
interface Audit {
  readonly metadata?: { readonly vulnerabilities?: Readonly<Record<string, number>> }
}

/** @returns the text to print, and whether it is a failure. */
export function toldOf(answer: string): { readonly text: string; readonly isFault: boolean } {
  const counts = answer.trim() === '' ? undefined : (JSON.parse(answer) as Audit).metadata?.vulnerabilities
  if (counts === undefined) {
    return { text: 'The registry does not answer for advisories. Nothing was checked.', isFault: false }
  }
  const { total = 0, high = 0, critical = 0 } = counts
  const text = `${total} packages with an advisory, ${high} of them high, ${critical} critical.`
  return { text: total === 0 ? text : `${text} npm audit names them.`, isFault: high + critical > 0 }
}

if (import.meta.main) {
  const { text, isFault } = toldOf(spawnSync('npm', ['audit', '--json'], { encoding: 'utf8' }).stdout)
  console.log(text)
  if (isFault) process.exitCode = 1
}
