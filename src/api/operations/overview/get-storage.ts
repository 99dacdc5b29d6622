import { z } from 'zod'
import { timestamp } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { createStorage } from '../../storage.ts'

const Storage = z
  .object({
    read_at: timestamp('at which this was read; answers are shared for a minute'),
    free_bytes: z.number().describe('On the disk of the data directory, for this process'),
    total_bytes: z.number().describe('Of that disk'),
    spool_bytes: z.number().describe('Files of runs and uploads below the data directory'),
    database_bytes: z.number().describe('The database, wherever it lies'),
  })
  .meta({ id: 'Storage' })

export default operation({
  id: 'getStorage',
  method: 'GET',
  path: '/admin/storage',
  tag: 'Operations',
  summary: 'Room on the disk, and what fills it',
  description: 'Read once a minute at most, however many ask.',
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
  handle: ({ db, intake: { dataDir } }) => {
    const storage = createStorage(db, dataDir)
    return async () => {
      const { readAt, freeBytes, totalBytes, spoolBytes, databaseBytes } = await storage()
      return {
        read_at: readAt.toISOString(),
        free_bytes: freeBytes,
        total_bytes: totalBytes,
        spool_bytes: spoolBytes,
        database_bytes: databaseBytes,
      }
    }
  },
})
