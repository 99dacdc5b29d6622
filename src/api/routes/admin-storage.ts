/** GET /admin/storage: room on the disk, and what fills it. */
import { z } from 'zod'
import { timestamp } from '../formats.ts'
import type { Routes } from '../route-context.ts'
import { createStorage } from '../storage.ts'
import { admin } from './admin.ts'

const Storage = z
  .object({
    read_at: timestamp('at which this was read; answers are shared for a minute'),
    free_bytes: z.number().describe('On the disk of the data directory, for this process'),
    total_bytes: z.number().describe('Of that disk'),
    spool_bytes: z.number().describe('Files of runs and uploads below the data directory'),
    database_bytes: z.number().describe('The database, wherever it lies'),
  })
  .meta({ id: 'Storage' })

export const adminStorageRoutes: Routes = async (app, { db, intake: { dataDir } }) => {
  const storage = createStorage(db, dataDir)
  app.get(
    '/admin/storage',
    {
      schema: {
        operationId: 'getStorage',
        ...admin,
        summary: 'Room on the disk, and what fills it',
        description: 'Read once a minute at most, however many ask.',
        response: { 200: Storage },
      },
    },
    async () => {
      const { readAt, freeBytes, totalBytes, spoolBytes, databaseBytes } = await storage()
      return {
        read_at: readAt.toISOString(),
        free_bytes: freeBytes,
        total_bytes: totalBytes,
        spool_bytes: spoolBytes,
        database_bytes: databaseBytes,
      }
    },
  )
}
