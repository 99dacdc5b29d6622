/** The bench of the whole country, a tiny share of it: its files, its loads, and what a run that goes on does not do again. */
import { randomBytes } from 'node:crypto'
import { createReadStream, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { changedShare, fileOf, type WrittenFiles } from '../../../bench/country/files.ts'
import type { Loaded } from '../../../bench/country/load.ts'
import { openSteps, type Steps } from '../../../bench/country/steps.ts'
import { countryOf, registers } from '../../../bench/country/world.ts'
import { withWorld } from '../../../bench/country/world-database.ts'
import { openDb } from '../../../src/db/db.ts'

const folder = mkdtempSync(join(tmpdir(), 'panji-country-'))
const files = join(folder, 'files')
mkdirSync(files)
const world = { ...countryOf(0.0003), name: `country_${randomBytes(6).toString('hex')}` }
const databaseUrl = inject('clusterUrl')
const db = openDb({ connectionString: databaseUrl, applicationName: 'panji-test' })
beforeAll(async () => {
  await db.execute(`CREATE DATABASE ${world.name} TEMPLATE panji STRATEGY file_copy`)
})
afterAll(async () => {
  await db.execute(`DROP DATABASE IF EXISTS ${world.name} WITH (FORCE)`)
  await db.close()
  rmSync(folder, { recursive: true })
})

const pathOf = (register: (typeof registers)[number], night: 'first' | 'next') =>
  fileOf(files, world.name, register, night)
const opened = () => openSteps(join(folder, 'country.json'), { share: 'tiny' })
const stoppingAt = (steps: Steps, name: string): Steps => ({
  ...steps,
  once: (step, work) => steps.once(step, step.endsWith(name) ? () => Promise.reject(new Error('stopped')) : work),
})

test('a run that was stopped goes on with the files and the registers that are there, and loads each register once a night', async () => {
  const server = { db, databaseUrl, folder }
  const stopped = stoppingAt(opened(), ': first mca-directors')
  await expect(withWorld(server, world, files, stopped, ({ load }) => load('first'))).rejects.toThrow('stopped')
  const made = registers.map((register) => statSync(pathOf(register, 'next')).mtimeMs)
  const before = opened().told()

  const runs = await withWorld(server, world, files, opened(), async (loaded) => {
    await loaded.load('first')
    await loaded.load('next')
    return loaded.db.query<{ source: string; status: string; inserted: number; updated: number }>(
      `SELECT source, status, inserted, updated FROM ingest.run WHERE source = ANY ($1) ORDER BY run_id`,
      [registers],
    )
  })

  expect(registers.map((register) => statSync(pathOf(register, 'next')).mtimeMs)).toEqual(made)
  const told = opened().told()
  expect(told).toMatchObject(before)
  const written = registers.map((register) => told[`${world.name}: files of ${register}`] as WrittenFiles)
  expect(runs).toEqual([
    ...registers.map((source, at) => {
      const { rows, rejected } = told[`${world.name}: first ${source}`] as Loaded
      expect(rows).toBe(written[at]?.rows)
      return { source, status: 'succeeded', inserted: rows - rejected, updated: 0 }
    }),
    ...registers.map((source) => ({ source, status: 'succeeded', inserted: 0, updated: expect.any(Number) })),
  ])
  for (const [at, { updated }] of runs.slice(registers.length).entries()) {
    expect(Math.abs(updated - (written[at]?.changed ?? 0))).toBeLessThanOrEqual(2)
  }
}, 600_000)

test('the files of the next night differ from the first ones in one line of two hundred', async () => {
  for (const register of registers) {
    const [first, next] = [await linesOf(pathOf(register, 'first')), await linesOf(pathOf(register, 'next'))]
    expect(next).toHaveLength(first.length)
    const changed = next.filter((line, at) => line !== first[at]).length
    expect(changed / first.length).toBeCloseTo(changedShare, 3)
  }
})

async function linesOf(path: string): Promise<string[]> {
  const lines: string[] = []
  for await (const line of createInterface({ input: createReadStream(path).pipe(createGunzip()) })) lines.push(line)
  return lines
}

test('a folder of other sizes is refused', () => {
  expect(() => openSteps(join(folder, 'country.json'), { share: 'another' })).toThrow('name another one')
})
