/** Files of the data directory that a backup includes: keys and tokens, the sample's, and the inputs of open runs. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Queryable } from '../../db/db.ts'
import { spoolRoot, uploadsIn } from '../../ingest/input/drop-folder/spool.ts'
import { finishedStatuses } from '../../ingest/run/transitions.ts'

export interface KeptFile {
  readonly path: string
  /** Path in the data directory. */
  readonly name: string
}

const secretNames = ['secret-key', 'secret-key.next', 'secret-key.previous', 'operator-token'] as const
const sampleNames = ['sample-world.json', 'sandbox-records.json'] as const
/**
 * In a watched folder `spool/<source>/taken/<id>/<name>`, with the note `<id>.json` of where it came from; uploaded
 * files are `spool/uploads/<id>/<name>`.
 */
const runFile = /^spool\/(?:[a-z0-9-]+\/taken\/(?:[^/]+\/[^/]+|[^/]+\.json)|uploads\/[^/]+\/[^/]+)$/

/** Files of the instance, where the environment does not provide the keys. */
export function instanceFiles(dataDir: string): KeptFile[] {
  return [...secretNames, ...sampleNames].map((name) => inside(dataDir, name)).filter(({ path }) => isFile(path))
}

/** Inputs of runs that are open in the caller's snapshot. */
export async function filesOfRuns(tx: Queryable, dataDir: string): Promise<KeptFile[]> {
  const uploads = await tx.query<{ input: string }>(
    'SELECT DISTINCT input FROM ingest.run WHERE starts_with(input, $1) AND NOT status = ANY ($2) ORDER BY input',
    [`${uploadsIn(dataDir)}/`, finishedStatuses],
  )
  const sent = uploads.map(({ input }) => join('spool', relative(spoolRoot(dataDir), input)))
  return [...takenNames(dataDir), ...sent].filter(isRunFile).map((name) => inside(dataDir, name))
}

/** Whether a backup may contain the file: a restore writes nothing else. */
export const isKeptName = (name: string): boolean =>
  [...secretNames, ...sampleNames].some((each) => each === name) || isRunFile(name)

export const isRunFile = (name: string): boolean => runFile.test(name) && !name.split('/').includes('..')

function takenNames(dataDir: string): string[] {
  const spool = spoolRoot(dataDir)
  if (!existsSync(spool)) return []
  return readdirSync(spool, { recursive: true, encoding: 'utf8' })
    .map((name) => `spool/${name.replaceAll('\\', '/')}`)
    .filter((name) => isRunFile(name) && !name.startsWith('spool/uploads/'))
    .filter((name) => isFile(join(dataDir, name)))
}

const inside = (dataDir: string, name: string): KeptFile => ({ path: join(dataDir, name), name })

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
