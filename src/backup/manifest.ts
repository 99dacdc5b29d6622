/** The manifest of a backup: the last member of the archive, with the count and hash of every table and file. */
import { z } from 'zod'

/** Format 1 was never released. */
export const backupFormat = 2

const Content = { bytes: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) }

export const Manifest = z.object({
  format: z.literal(backupFormat),
  panji: z.string(),
  /** Version of the server that it was taken from. */
  postgresql: z.string(),
  /** The time of the snapshot, ISO 8601, UTC. */
  taken_at: z.iso.datetime(),
  migrations: z.array(z.object({ name: z.string(), sha256: z.string() })),
  /** Schema version of the queue; null where it was never used. */
  queue_schema: z.number().nullable(),
  /** `schema.table`, in the text format of COPY; generated columns are left out. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.int().min(0), ...Content })),
  sequences: z.array(z.object({ name: z.string(), last: z.string(), called: z.boolean() })),
  /** Files of the data directory: keys, the operator's token, inputs of open runs. */
  files: z.array(z.object({ name: z.string(), entry: z.string(), ...Content })),
})

export type Manifest = z.infer<typeof Manifest>
export type TableContent = Manifest['tables'][number]

export const manifestName = 'manifest.json'
export const manifestHashName = 'manifest.json.sha256'

/** `tables/registry.company`; its parts are below it. */
export const tableEntry = (name: string): string => `tables/${name}`
