import { z } from 'zod'
import type { Tx } from '../../../db/db.ts'
import { readHoldingRuns } from '../../../ingest/run/holding-runs.ts'
import { keepInput, shownInput } from '../../../ingest/run/source-address.ts'
import type { ScheduleRow } from '../../../queue/schedule/schedules.ts'
import { readScheduleOverHttp, saveFolderSchedule, saveSchedule } from '../../../queue/schedule/schedules-over-http.ts'
import { sealingKey } from '../../../secrets/canary.ts'
import { operation } from '../../operation.ts'
import { plainText } from '../../parameters.ts'
import { RemoteAddress, SourceName } from '../runs/start-schemas.ts'
import { asAct, Schedule, scheduleReply } from './schedule-schemas.ts'
import example from './set.example.json' with { type: 'json' }

const Wish = z
  .strictObject({
    name: plainText(63).describe('Lower-case letters, digits and hyphens'),
    cron: plainText(100).describe('Minute hour day month weekday'),
    timezone: plainText(100).default('Asia/Kolkata').describe('Time zone of the expression'),
    source: SourceName.optional().describe('The source to ingest'),
    address: RemoteAddress.optional().describe('URL of the published file'),
    folder_of: plainText(63)
      .optional()
      .describe('Instead of address: a schedule whose folder it watches, set by `panji schedule add`'),
    mode: z
      .enum(['snapshot', 'delta'])
      .optional()
      .describe("Of the files at address; default: the source's. A folder keeps that of folder_of"),
    job: plainText(100).optional().describe('Instead: a job without payload, such as collect-words'),
  })
  .refine(
    ({ source, address, folder_of: folder, job }) =>
      [address, folder, job].filter((each) => each !== undefined).length === 1 &&
      (job === undefined) === (source !== undefined),
    { error: 'name either source with address or folder_of, or job' },
  )
  .refine(({ address, mode }) => mode === undefined || address !== undefined, { error: 'mode is of an address' })
  .meta({
    examples: [
      { name: 'nightly', cron: '30 2 * * *', source: 'mca-companies', address: 'https://example.in/companies.csv' },
    ],
  })

export default operation({
  id: 'setSchedule',
  method: 'POST',
  path: '/admin/schedules',
  summary: 'Add a schedule, or change one that was added',
  description:
    'Identified by its name. A changed cron expression applies from now on. Credentials in the URL are sealed. A path can only be given at a terminal.',
  caller: { role: 'operator' },
  audit: 'act',
  errors: ['CONFLICT', 'NOT_FOUND'],
  body: Wish,
  reply: { 200: Schedule },
  example,
  handle: async ({ db, delivery: { secretKey } }, request, actor) => {
    const { name, cron, timezone, source, address, folder_of: folderOf, mode, job } = request.body
    const input = address === undefined ? {} : { input: shownInput(address) }
    const detail = {
      cron,
      timezone,
      ...(source && { source }),
      ...input,
      ...(mode && { mode }),
      ...(folderOf && { folder_of: folderOf }),
      ...(job && { job }),
    }
    const set = async (tx: Tx): Promise<ScheduleRow> => {
      const schedule = { name, cron, timezone, job: job ?? 'fetch-source' }
      const kept =
        address === undefined
          ? {}
          : { source, ...keepInput(address, await sealingKey(tx, secretKey)), ...(mode && { mode }) }
      if (folderOf === undefined) await saveSchedule(tx, { ...schedule, payload: kept })
      else await saveFolderSchedule(tx, { ...schedule, payload: { source } }, folderOf)
      return readScheduleOverHttp(tx, name)
    }
    return scheduleReply(await asAct(db, actor, 'set schedule', name, set, detail), await readHoldingRuns(db))
  },
})
