/** Commands by root on the instance of a service that runs as another user: the service can read whatever they write. */
import { chownSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { panjiHome } from '../support/panji-cli.ts'
import { panjiProgram } from '../support/panji-program.ts'

const home = panjiHome()
afterAll(() => home.remove())
const uid = 65_534
if (process.getuid?.() !== 0) console.log('skipped: commands by root need root')

test.runIf(process.getuid?.() === 0)(
  'secrets, the sample world and the log of the database belong to the owner of the data directory',
  async () => {
    chownSync(home.dataDir, uid, uid)
    const panji = panjiProgram({ PANJI_DATA_DIR: home.dataDir })
    for (const words of [['migrate'], ['secrets', 'rotate'], ['sample', 'remove', '--yes']])
      expect(await panji.json(...words)).toMatchObject({ code: 0 })
    const names = readdirSync(home.dataDir)
    expect(names).toEqual(expect.arrayContaining(['postgres.log', 'sample-world.json', 'secret-key.previous']))
    for (const name of names) expect([name, statSync(join(home.dataDir, name)).uid]).not.toEqual([name, 0])
  },
  120_000,
)
