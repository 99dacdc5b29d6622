/** `kill -9` of a backup and of a restore: no half file under the name, no half instance, and the repetition succeeds. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { companyFile } from '../support/company-lines.ts'
import { figure } from '../support/figures.ts'
import { panjiHome } from '../support/panji-cli.ts'
import { panjiProgram } from '../support/panji-program.ts'
import { runNode } from '../support/run-node.ts'
import { firstSeed, randomOf } from './support/seeds.ts'

const home = panjiHome()
const panji = panjiProgram({ PANJI_DATA_DIR: home.dataDir })
const kept = `${home.dataDir}-kept`
const good = join(kept, 'good.tar.gz')
const child = fileURLToPath(new URL('support/restore-child.ts', import.meta.url))
const random = randomOf(firstSeed)
const folders: string[] = []

beforeAll(async () => {
  mkdirSync(kept)
  const path = join(kept, 'companies.csv')
  writeFileSync(path, companyFile(5_000))
  expect(await panji.json('migrate')).toMatchObject({ code: 0 })
  expect(await panji.json('ingest', 'mca-companies', path)).toMatchObject({ code: 0 })
  expect(await panji.json('backup', good)).toMatchObject({ code: 0 })
}, 120_000)
afterAll(() => {
  home.remove()
  for (const folder of [kept, ...folders]) rmSync(folder, { recursive: true, force: true })
})

const restored = async (dataDir: string) => {
  const there = panjiProgram({ PANJI_DATA_DIR: dataDir })
  expect(await there.json('doctor')).toMatchObject({ code: 0 })
  return (await there.json('runs')).answer as { run_id: number; inserted: number }[]
}

test('a backup that is killed leaves what had the name before, and the next one is whole', async () => {
  const path = join(kept, 'struck.tar.gz')
  copyFileSync(good, path)
  const whole = readFileSync(path)
  const drafts = () => readdirSync(kept).filter((name) => /^struck.*\.part$/.test(name))
  let killed = 0
  for (let round = 0; round < 3 && killed < figure(1, 3); round++) {
    const writing = home.run('backup', path, '--overwrite', '--json')
    const before = drafts().length
    while (drafts().length === before && writing.child.exitCode === null) await delay(5)
    await delay(random() * 150)
    writing.child.kill('SIGKILL')
    const { code } = await writing.ended
    if (code !== null) continue
    killed += 1
    expect(readFileSync(path).equals(whole)).toBe(true)
    expect(readdirSync(kept).filter((name) => name.startsWith('struck'))).toEqual(
      expect.arrayContaining(['struck.tar.gz']),
    )
  }
  expect(killed).toBeGreaterThan(0)
  expect(await panji.json('backup', path, '--overwrite')).toMatchObject({ code: 0, answer: { verified: true } })
  expect(drafts()).toHaveLength(killed)
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

/** A data directory of its own, where an instance lies already or not. */
function folder(name: string): string {
  const path = `${home.dataDir}-${name}`
  mkdirSync(path, { mode: 0o755 })
  folders.push(path)
  return path
}

const points = ['filled', 'moved secret-key', 'moved all']

test.each(points)(
  'a restore that is killed at "%s" leaves no instance or a whole one, and the repetition succeeds',
  async (point) => {
    const dataDir = folder(point.replace(' ', '-'))
    const there = panjiProgram({ PANJI_DATA_DIR: dataDir })
    const { code } = await runNode(child, [dataDir, good, point, 'false']).ended
    expect(code).toBe(null)
    const isWhole = point === 'moved all'
    const found = await there.json('runs')
    if (isWhole) expect(found.code).toBe(0)
    else expect(found).toMatchObject({ code: 1, answer: { error: { code: 'NO_INSTANCE' } } })
    const again = await there.json('restore', good)
    // A whole instance is refused as any other that lies there.
    if (isWhole) expect(again).toMatchObject({ code: 1, answer: { error: { code: 'BACKUP_REFUSED' } } })
    else expect(again).toMatchObject({ code: 0, answer: { verified: true } })
    expect(await restored(dataDir)).toMatchObject([{ run_id: 1, inserted: 5_000 }])
    expect(existsSync(join(dataDir, 'restoring'))).toBe(false)
  },
)

test('a forced restore that is killed while it moves the old instance aside loses nothing of it', async () => {
  const dataDir = folder('forced')
  const there = panjiProgram({ PANJI_DATA_DIR: dataDir })
  expect(await there.json('migrate')).toMatchObject({ code: 0 })
  expect(await there.json('account', 'create', '--email', 'old@example.com')).toMatchObject({ code: 0 })
  const key = readFileSync(join(dataDir, 'secret-key'), 'utf8')
  const { code } = await runNode(child, [dataDir, good, 'aside secret-key', 'true']).ended
  expect(code).toBe(null)
  expect(await there.json('restore', good, '--force', '--yes')).toMatchObject({ code: 0 })
  expect(await restored(dataDir)).toMatchObject([{ run_id: 1, inserted: 5_000 }])
  const aside = readdirSync(dataDir).filter((name) => name.startsWith('before-restore-'))
  expect(aside).toHaveLength(1)
  const old = join(dataDir, aside[0] ?? '')
  expect(readFileSync(join(old, 'secret-key'), 'utf8')).toBe(key)
  expect(readdirSync(old).some((name) => name.startsWith('postgres'))).toBe(true)
})
