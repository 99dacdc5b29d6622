/** Every job of Panji, in one explicit list. */
import type { Connector } from '../connectors/contract.ts'
import type { Secret } from '../src/domain/secret.ts'
import type { Job } from '../src/queue/define-job.ts'
import { buildLeadsJob } from './build-leads.ts'
import { collectWordsJob } from './collect-words.ts'
import { fetchSourceJob } from './fetch-source.ts'
import { ingestSnapshotJob } from './ingest-snapshot.ts'
import { pushLeadsJob } from './push-leads.ts'
import { refreshFeedsJob } from './refresh-feeds.ts'
import { sweepExpiredJob } from './sweep-expired.ts'

export interface JobOptions {
  /** Folder for downloads. */
  readonly dataDir: string
  readonly allowPrivateSources: boolean
  readonly leadSource: string
  readonly connectors: readonly Connector[]
  readonly secretKey: Secret
}

export function buildJobs(options: JobOptions): readonly Job[] {
  return [
    fetchSourceJob,
    ingestSnapshotJob(options),
    refreshFeedsJob,
    collectWordsJob,
    buildLeadsJob(options),
    pushLeadsJob(options),
    sweepExpiredJob,
  ]
}
