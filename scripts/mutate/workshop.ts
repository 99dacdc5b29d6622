/**
 * Runs mutants in a copy of the checkout in a temporary folder, with one database cluster for all of them. The checkout
 * itself is never written to, so a killed run leaves it intact; its temporary folder is deleted by the next run.
 */
import { execFileSync, spawn } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ProvidedContext } from 'vitest'
import type { TestProject } from 'vitest/node'
import { z } from 'zod'
import startCluster from '../../test/support/global-cluster.ts'
import { lentCluster } from './lent-cluster.ts'

const prefix = 'panji-mutate-'

export interface Trial {
  readonly outcome: 'green' | 'red' | 'timeout' | 'no program'
  readonly milliseconds: number
  /** The first failing test, or what was wrong with the file. */
  readonly by?: string
  /** For one completed test file: the reporting functions it called. */
  readonly calls?: readonly string[]
}

export interface Workshop {
  /** Runs these test files, in order, until one fails. */
  try(tests: readonly string[], limitMs: number): Promise<Trial>
  /** Replaces the text of a file while `run` runs. */
  withFile<T>(path: string, text: string, run: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** @param replaced contents that replace files of the checkout, by path */
export async function openWorkshop(root: string, replaced: ReadonlyMap<string, string>): Promise<Workshop> {
  clearAway()
  const folder = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`))
  const copy = copyOf(root, folder)
  const restore = (path: string): void => {
    const text = replaced.get(path)
    if (text === undefined) copyFileSync(join(root, path), join(copy, path))
    else writeFileSync(join(copy, path), text)
  }
  mkdirSync(join(copy, '.mutate'))
  for (const path of replaced.keys()) restore(path)
  const lent: Partial<ProvidedContext> = {}
  const provide: TestProject['provide'] = (key, value) => {
    lent[key] = value
  }
  const stopCluster = await startCluster({ provide } as TestProject)
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
    [lentCluster]: JSON.stringify(lent),
    PANJI_SHARED_DIR: process.env['PANJI_SHARED_DIR'] ?? join(root, '..', 'shared'),
  }
  return {
    async try(tests, limitMs) {
      for (const name of ['outcome', 'calls']) rmSync(join(copy, `.mutate/${name}.json`), { force: true })
      const started = performance.now()
      const isInTime = await ranWithin(limitMs, copy, env, tests)
      const milliseconds = Math.round(performance.now() - started)
      return isInTime ? { ...outcomeIn(copy), milliseconds } : { outcome: 'timeout', milliseconds }
    },
    async withFile(path, text, run) {
      writeFileSync(join(copy, path), text)
      try {
        return await run()
      } finally {
        restore(path)
      }
    },
    async close() {
      await stopCluster()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Every file that git tracks or would add, with the packages linked. */
export function copyOf(root: string, folder: string): string {
  const copy = join(folder, 'checkout')
  const listed = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  for (const path of new Set(listed.split('\0').filter((each) => each !== '' && existsSync(join(root, each))))) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    copyFileSync(join(root, path), join(copy, path))
  }
  for (const packages of ['node_modules', 'client/node_modules']) {
    if (existsSync(join(root, packages))) symlinkSync(join(root, packages), join(copy, packages))
  }
  return copy
}

/** Folders of runs whose process has ended. */
function clearAway(): void {
  for (const name of globSync(`${prefix}*`, { cwd: tmpdir() })) {
    const pid = Number(name.slice(prefix.length).split('-')[0])
    if (pid > 0 && !isAlive(pid)) rmSync(join(tmpdir(), name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A mutant may never end, so it has its own process group, which is killed as a whole. */
async function ranWithin(
  limitMs: number,
  cwd: string,
  env: NodeJS.ProcessEnv,
  tests: readonly string[],
): Promise<boolean> {
  const vitest = join(cwd, 'node_modules/vitest/vitest.mjs')
  const parameters = [vitest, 'run', '--config', 'scripts/mutate/vitest.config.ts', ...tests]
  const child = spawn(process.execPath, parameters, { cwd, env, stdio: 'ignore', detached: true })
  const end = (): void => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
  }
  let isInTime = true
  const timer = setTimeout(() => {
    isInTime = false
    end()
  }, limitMs)
  process.once('exit', end)
  await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject))
  process.off('exit', end)
  clearTimeout(timer)
  return isInTime
}

function callsIn(copy: string): string[] {
  const path = join(copy, '.mutate/calls.json')
  return existsSync(path) ? z.array(z.string()).parse(JSON.parse(readFileSync(path, 'utf8'))) : []
}

const Outcome = z.object({
  success: z.boolean(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
})

/** Recognises mutants that are no valid program, whatever the test. */
const noProgram = /SyntaxError|Transform failed|syntax error at or near|syntax error at end of input/

function outcomeIn(copy: string): Omit<Trial, 'milliseconds'> {
  const path = join(copy, '.mutate/outcome.json')
  if (!existsSync(path)) return { outcome: 'red', by: 'the tests did not come to an end' }
  const { success, testResults } = Outcome.parse(JSON.parse(readFileSync(path, 'utf8')))
  if (success) return { outcome: 'green', calls: callsIn(copy) }
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const red = tests.find(({ status }) => status === 'failed')
  const said = [...testResults.map(({ message }) => message), ...tests.flatMap((test) => test.failureMessages ?? [])]
  const fault = said.find((each) => each !== undefined && noProgram.test(each))
  if (fault !== undefined) return { outcome: 'no program', by: fault.slice(0, 200) }
  const file = testResults.find(({ status }) => status === 'failed')
  const late = said.find((each) => each !== undefined && /timed? ?out/i.test(each))
  const by = red?.fullName ?? file?.message?.slice(0, 200) ?? 'a file of tests did not start'
  return { outcome: 'red', by: late === undefined ? by : `${by} (timed out)` }
}
