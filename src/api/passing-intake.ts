/**
 * A temporary folder for uploaded files where the process has none, as in tests: used by one server, and deleted with
 * it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { fetchBounds } from '../../config/input-bounds.ts'
import type { Intake } from './route-context.ts'

export function passingIntake(app: FastifyInstance): Intake {
  const dataDir = mkdtempSync(join(tmpdir(), 'panji-intake-'))
  app.addHook('onClose', async () => rmSync(dataDir, { recursive: true, force: true }))
  return { dataDir, fileBytesMax: fetchBounds.fileBytesMax }
}
