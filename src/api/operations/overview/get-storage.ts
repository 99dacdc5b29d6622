import { z } from 'zod'
import { timestamp } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { createStorage } from '../../storage.ts'

const Storage = z
  .object({
    read_at: timestamp('at which this was read; answers are cached for a minute'),
    free_bytes: z.number().describe('Available to this process on the disk of the data directory'),
    total_bytes: z.number().describe('Size of that disk'),
    spool_bytes: z.number().describe('Files of runs and uploads in the data directory'),
    database_bytes: z.number().describe('Size of the database, wherever it is stored'),
  })
  .meta({ id: 'Storage' })

export default operation({
  id: 'getStorage',
  method: 'GET',
  path: '/admin/storage',
  summary: 'Get disk and database usage',
  description: 'Read at most once a minute, however many ask.',
  caller: { role: 'viewer' },
  audit: 'nothing',
  reply: { 200: Storage },
  example: {
    read_at: '2026-11-23T17:06:39.556Z',
    free_bytes: 25183531008,
    total_bytes: 25276510208,
    spool_bytes: 16,
    database_bytes: 16897727,
  },
  prepare: ({ db, intake: { dataDir } }) => createStorage(db, dataDir),
})
