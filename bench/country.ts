/**
 * The whole country: generated, gzipped snapshots of its companies, GST registrations, directors and directorships in
 * the registries' own formats, with a small rate of bad rows, loaded by the product's own import; reads compared with
 * the same in a world whose largest register has a million records; the companies once more by hand; and a night with
 * 0.5 % changed.
 *
 * npm run bench -- country [--share 1] [--folder F] [--resume] [--calls 100]
 *
 * With --folder the database and the files stay there, and --resume continues with them: existing files are not
 * written again, loaded registers are not loaded again. If the disk is too small for the share, the largest possible
 * one is used. Progress is printed as lines; the JSON document at the end is also written to country.json in the
 * folder.
 */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type BenchDatabase, withEmptyDatabase } from './bench-database.ts'
import { loadByHand } from './country/by-hand.ts'
import { figuresOf } from './country/figures.ts'
import { fileOf } from './country/files.ts'
import { say } from './country/lines.ts'
import { compareReads } from './country/reads.ts'
import { affordableShare } from './country/space.ts'
import { openSteps } from './country/steps.ts'
import { countryOf, millionOf } from './country/world.ts'
import { withWorld } from './country/world-database.ts'

const { values } = parseArgs({
  options: {
    share: { type: 'string', default: '1' },
    folder: { type: 'string' },
    resume: { type: 'boolean', default: false },
    calls: { type: 'string', default: '100' },
  },
})

const resultName = 'country.json'

async function measure(server: BenchDatabase): Promise<unknown> {
  const files = join(server.folder, 'files')
  mkdirSync(files, { recursive: true })
  const result = join(server.folder, resultName)
  const wanted = Number(values.share)
  const known = openSteps(result, { bench: 'country', wanted })
  const share = await known.once('share', async () => affordableShare(server.folder, wanted))
  if (share < wanted) say(`the disk holds ${share} of the country, not ${wanted}`)

  return withWorld(server, millionOf(share), files, known, async (million) => {
    await million.load('first')
    return withWorld(server, countryOf(share), files, known, async (country) => {
      await country.load('first')
      await known.once('reads', () => compareReads(country, million, Number(values.calls)))
      const companies = fileOf(files, 'panji', 'mca-companies', 'first')
      await known.once('by hand', () => loadByHand(country.db, companies, server.folder))
      await country.load('next')
      return { ...known.told(), figures: figuresOf(known.told()) }
    })
  })
}

if (values.folder !== undefined && existsSync(join(values.folder, resultName)) && !values.resume) {
  throw new Error(`${values.folder} holds a run: go on with it by --resume, or name another folder`)
}
console.log(JSON.stringify(await withEmptyDatabase(values.folder, measure), null, 2))
