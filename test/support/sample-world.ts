/**
 * The sample world as a first start leaves it, made once in a test run, by the first test that needs it, and copied for
 * all: loading it is most of the time of a start. Tests of the first start itself begin with nothing.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { inject } from 'vitest'
import { runPanjiIn } from './panji-cli.ts'

/** Copies it into an empty data directory in which nothing runs. */
export async function laySampleWorld(dataDir: string): Promise<void> {
  const world = await madeWorld(inject('sampleWorldPlace'))
  // Where the server's data had to be elsewhere, a copy would point to the same place: then the start loads the world
  // itself.
  if (!existsSync(join(world, 'postgres.location'))) execFileSync('cp', ['-a', join(world, '.'), dataDir])
}

/** @param place of this test run, shared by all its processes. */
async function madeWorld(place: string): Promise<string> {
  const made = join(place, 'made')
  const making = join(place, 'making')
  while (!existsSync(made)) {
    if (isTaken(making)) await delay(100)
    else await make(making, made)
  }
  return made
}

/** The process that creates the folder makes the world. */
function isTaken(folder: string): boolean {
  try {
    mkdirSync(folder)
    // Under root a private folder would send the server elsewhere, see src/db/embedded/location.ts.
    chmodSync(folder, 0o755)
    return false
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return true
    throw error
  }
}

async function make(making: string, made: string): Promise<void> {
  try {
    const panji = runPanjiIn(making, ['start'])
    await panji.line('Ctrl-C stops.')
    panji.child.kill('SIGINT')
    const { code, stderr } = await panji.ended
    if (code !== 0) throw new Error(`the sample world was not made: ${stderr}`)
    renameSync(making, made)
  } catch (error) {
    // The next caller tries again, and reports why it fails.
    rmSync(making, { recursive: true, force: true })
    throw error
  }
}
