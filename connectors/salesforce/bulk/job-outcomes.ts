/**
 * Turns all pages of a job's three result files into outcomes by item id, and finds the leads that have to be sent
 * with another API: rows that failed for lack of a header that only other calls have, or because the record already
 * exists. Rows that the job did not process are deferred.
 */
import type { OutgoingLead, PushOutcome } from '../../contract.ts'
import { withoutRoom } from '../../deferrals.ts'
import type { SalesforceClient } from '../client.ts'
import { isFull, isTooMany, mayBeOfFields, outcomeOf } from '../outcomes.ts'
import type { SalesforceSettings } from '../settings.ts'
import { makeRoom } from '../sign-in-advice.ts'
import { type Line, type ResultFile, readResults } from './jobs.ts'

/**
 * What the ledger is to remember of these leads, by external id.
 * @param cells what was uploaded of each.
 */
export type Remembered = (
  leads: readonly OutgoingLead[],
  cells: ReadonlyMap<string, Line>,
) => Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>>

export interface EndedJob {
  readonly id: string
  readonly rowsPerPage: number
  /** Why the job ended before its last row, if it did. */
  readonly endedWith: string
}

export interface JobOutcomes {
  readonly outcomes: ReadonlyMap<string, PushOutcome>
  readonly inBatches: readonly OutgoingLead[]
}

const unprocessedMs = 60_000
const own = new Set(['sf__Id', 'sf__Created', 'sf__Error'])

export async function outcomesOfJob(
  client: SalesforceClient,
  settings: SalesforceSettings,
  { id, rowsPerPage, endedWith }: EndedJob,
  leads: readonly OutgoingLead[],
  remembered: Remembered,
): Promise<JobOutcomes> {
  const { external_id_field: key } = settings
  const byKey = new Map(leads.map((lead) => [lead.externalId, lead]))
  const outcomes = new Map<string, PushOutcome>()
  const inBatches: OutgoingLead[] = []
  const eachPage = async (
    file: ResultFile,
    read: (rows: readonly (readonly [OutgoingLead, Line])[]) => Promise<void> | void,
  ) => {
    for await (const lines of readResults(client, { id, file, rowsPerPage })) {
      const known = lines.flatMap((line) => {
        const lead = byKey.get(line[key] ?? '')
        return lead === undefined ? [] : [[lead, line] as const]
      })
      await read(known)
    }
  }
  await eachPage('successfulResults', async (rows) => {
    const cells = new Map(rows.map(([{ externalId }, line]) => [externalId, cellsOf(line)]))
    const values = await remembered(
      rows.map(([lead]) => lead),
      cells,
    )
    for (const [{ itemId, externalId }, { sf__Id: crmId, sf__Created: created }] of rows) {
      const result = { success: true, id: crmId === '' ? undefined : crmId, created: created === 'true' }
      outcomes.set(itemId, outcomeOf(result, values.get(externalId) ?? {}, key))
    }
  })
  await eachPage('failedResults', (rows) => {
    for (const [lead, { sf__Error: text = '' }] of rows) {
      const error = errorIn(text)
      if (isForBatches(error, settings)) inBatches.push(lead)
      else outcomes.set(lead.itemId, outcomeOf({ success: false, errors: [error] }, {}, key))
    }
  })
  await eachPage('unprocessedrecords', (rows) => {
    for (const [{ itemId }] of rows) outcomes.set(itemId, deferred(endedWith))
  })
  return { outcomes, inBatches }
}

interface RowError {
  readonly statusCode: string
  readonly message: string
  readonly fields: readonly string[]
}

/** `REQUIRED_FIELD_MISSING:Required fields are missing: [Company]:Company --` */
export function errorIn(text: string): RowError {
  const colon = text.indexOf(':')
  const statusCode = text.slice(0, colon)
  if (colon < 1 || !/^[A-Z][A-Z0-9_]*$/.test(statusCode)) return { statusCode: 'UNKNOWN', message: text, fields: [] }
  const rest = text.slice(colon + 1).trimEnd()
  const words = rest.endsWith('--') ? rest.slice(0, -2).trimEnd() : rest
  const last = words.lastIndexOf(':')
  const names =
    last < 0
      ? []
      : words
          .slice(last + 1)
          .split(',')
          .map((name) => name.trim())
  if (last < 0 || !names.every((name) => /^\w*$/.test(name))) return { statusCode, message: words, fields: [] }
  return { statusCode, message: words.slice(0, last), fields: names.filter((name) => name !== '') }
}

/** A job cannot send the headers that override duplicate rules, and an existing record has to be read first. */
function isForBatches({ statusCode, message }: RowError, settings: SalesforceSettings): boolean {
  if (statusCode === 'DUPLICATES_DETECTED') return settings.duplicate_rules === 'off'
  if (statusCode === 'CANNOT_UPDATE_CONVERTED_LEAD') return true
  // What was read of the org when the job began may be outdated, and a collection is decided anew.
  if (mayBeOfFields({ code: statusCode })) return true
  // A job is processed 200 rows at a time, whatever the org's own code can handle.
  if (isTooMany({ message })) return true
  return statusCode === 'DUPLICATE_VALUE' && message.includes(settings.external_id_field)
}

/** @param endedWith `ExceededQuota : ApiBatchItems Limit exceeded.` */
function deferred(endedWith: string): PushOutcome {
  const message = `The bulk job did not process this lead: ${endedWith}`
  const word = /^\w+/.exec(endedWith)?.[0] ?? ''
  const code = word.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()
  const refusal = { code, field: null, message }
  if (isFull(refusal)) return withoutRoom(refusal, makeRoom(code))
  return { status: 'deferred', afterMs: unprocessedMs, code: 'BULK_UNPROCESSED', field: null, message }
}

function cellsOf(line: Line): Line {
  return Object.fromEntries(Object.entries(line).filter(([name, text]) => !own.has(name) && text !== ''))
}
