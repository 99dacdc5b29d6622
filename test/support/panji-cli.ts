/** Runs the real command line in a data directory of its own, on free ports. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type NodeProcess, runNode } from './run-node.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

export interface PanjiHome {
  readonly dataDir: string
  /** Starts a command. */
  run(...parameters: string[]): NodeProcess
  /** Runs a command with --json to its end. */
  json(
    ...parameters: string[]
  ): Promise<{ readonly code: number | null; readonly answer: unknown; readonly stderr: string }>
  remove(): void
}

/** Starts a command in a data directory that the caller manages. */
export function runPanjiIn(
  dataDir: string,
  parameters: readonly string[],
  env: Readonly<Record<string, string>> = {},
): NodeProcess {
  const ports = { PORT: '0', PANJI_SANDBOX_PORT: '0' }
  return runNode(main, parameters, { ...ports, PANJI_DATA_DIR: dataDir, LOG_LEVEL: 'warn', DATABASE_URL: '', ...env })
}

export function panjiHome(env: Record<string, string> = {}): PanjiHome {
  const dataDir = mkdtempSync(join(tmpdir(), 'panji-home-'))
  // Under root a private folder would send the server elsewhere, see src/db/embedded/location.ts.
  chmodSync(dataDir, 0o755)
  const run = (...parameters: string[]) => runPanjiIn(dataDir, parameters, env)
  return {
    dataDir,
    run,
    async json(...parameters) {
      const { code, stdout, stderr } = await run(...parameters, '--json').ended
      return { code, answer: stdout.trim() === '' ? undefined : JSON.parse(stdout), stderr }
    },
    remove: () => rmSync(dataDir, { recursive: true, force: true }),
  }
}
