/** Runs what its parent names, one run at a time, and answers with the code of what it was refused with, or `done`. */
import { pino } from 'pino'
import { openDb } from '../../../../src/db/db.ts'
import { AppError } from '../../../../src/errors.ts'
import { runSnapshot } from '../../../../src/ingest/conduct/run-snapshot.ts'
import { rememberingQueue, testSecretKey } from '../../../support/ingest.ts'

const [connectionString = '', settings = '{}', dataDir = ''] = process.argv.slice(2)
const db = openDb({
  ...{ connectionString, applicationName: 'panji-test-sequence', connectionsMax: 4 },
  settings: JSON.parse(settings) as Record<string, string>,
})
const dependencies = {
  ...{ db, dataDir, queue: rememberingQueue(), log: pino({ level: 'silent' }), signal: new AbortController().signal },
  ...{ allowPrivateSources: false, secretKey: testSecretKey },
}

process.on('message', (runId: number) => {
  runSnapshot(dependencies, runId).then(
    () => process.send?.('done'),
    (error: unknown) => process.send?.(error instanceof AppError ? error.code : String(error)),
  )
})
process.on('disconnect', () => void db.close())
