/**
 * Reads a job's leads before they are written: a thousand in one composite call, which counts once against the org's
 * quota.
 */
import { AppError } from '../../../src/errors.ts'
import type { ValuesByField } from '../../adoption.ts'
import { parseJson } from '../../answers.ts'
import { halves, slices } from '../../slices.ts'
import type { AnswerInParts, SalesforceClient, SalesforceRecord } from '../client.ts'
import { failureOfCall } from '../outcomes.ts'
import { questionFor, type SalesforceObject } from '../question.ts'

const keysPerQuestion = 200
/** Limits the keys of a query, so that no server on the way rejects the length of its URL. */
const lettersPerQuestion = 8_000
const questionsPerCall = 5
export const keysPerCall = keysPerQuestion * questionsPerCall

export interface ManyRecords {
  readonly object: SalesforceObject
  readonly keyField: string
  readonly keys: readonly string[]
  readonly fields: readonly string[]
  /** True to include records in the recycle bin. */
  readonly isBinToo?: boolean
}

export interface HoldingAny {
  readonly object: SalesforceObject
  /** Field → values; each record found has one of them in it. */
  readonly values: ReadonlyMap<string, readonly string[]>
  readonly fields: readonly string[]
  /** Further conditions, which all of them meet. */
  readonly where: readonly string[]
}

export interface FoundHolding {
  readonly records: readonly SalesforceRecord[]
  /** Values that more than a page of records hold, by field; only a page of them was read. */
  readonly shared: ValuesByField
}

interface Question {
  readonly object: SalesforceObject
  readonly keyField: string
  readonly keys: readonly string[]
  readonly where?: readonly string[]
}

/** Absent records are missing in the result. @throws AppError if a query had no readable answer. */
export async function findMany(
  client: SalesforceClient,
  { object, keyField, keys, fields, isBinToo = false }: ManyRecords,
): Promise<SalesforceRecord[]> {
  const answers = await askAll(client, questionsOf(object, keyField, keys), fields, isBinToo)
  const found: SalesforceRecord[] = []
  for (const { records, part } of answers) found.push(...records, ...(await client.rest(part)))
  return found
}

/** A query that finds more than a page is split in halves. @throws AppError if a query had no readable answer. */
export async function findHoldingAny(
  client: SalesforceClient,
  { object, values, fields, where }: HoldingAny,
): Promise<FoundHolding> {
  const found: SalesforceRecord[] = []
  const shared = new Map<string, readonly string[]>()
  let open: readonly Question[] = [...values].flatMap(([field, texts]) =>
    questionsOf(object, field, texts).map((question) => ({ ...question, where })),
  )
  while (open.length > 0) {
    const answers = await askAll(client, open, fields, false)
    open = answers.flatMap(({ question, records, part: { done } }) => {
      const { keys, keyField } = question
      if (!done && keys.length > 1) return halves(keys).map((some) => ({ ...question, keys: some }))
      if (!done) shared.set(keyField, [...(shared.get(keyField) ?? []), ...keys])
      found.push(...records)
      return []
    })
  }
  return { records: found, shared }
}

function questionsOf(object: SalesforceObject, keyField: string, keys: readonly string[]): readonly Question[] {
  const slices: string[][] = []
  let letters = Number.POSITIVE_INFINITY
  for (const key of keys) {
    const length = encodeURIComponent(key).length
    if (letters + length > lettersPerQuestion || (slices.at(-1)?.length ?? keysPerQuestion) >= keysPerQuestion) {
      slices.push([])
      letters = 0
    }
    slices.at(-1)?.push(key)
    letters += length
  }
  return slices.map((some) => ({ object, keyField, keys: some }))
}

interface Answer {
  readonly question: Question
  readonly records: readonly SalesforceRecord[]
  /** Says whether more records follow. */
  readonly part: AnswerInParts
}

async function askAll(
  client: SalesforceClient,
  questions: readonly Question[],
  fields: readonly string[],
  isBinToo: boolean,
): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  for (const some of slices(questions, questionsPerCall)) answers.push(...(await ask(client, some, fields, isBinToo)))
  return answers
}

async function ask(
  client: SalesforceClient,
  questions: readonly Question[],
  fields: readonly string[],
  isBinToo: boolean,
): Promise<readonly Answer[]> {
  const way = isBinToo ? 'queryAll' : 'query'
  const compositeRequest = questions.map(({ object, keyField, keys, where }, n) => ({
    method: 'GET',
    url: `${client.basePath}/${way}?q=${encodeURIComponent(questionFor(object, keyField, keys, fields, where))}`,
    referenceId: `question${n}`,
  }))
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const body = JSON.stringify({ allOrNone: false, compositeRequest })
  const { text } = await client.exchange({ method: 'POST', path: '/composite', headers, body })
  return answersIn(text, questions)
}

function answersIn(text: string, questions: readonly Question[]): readonly Answer[] {
  const parts = (parseJson(text) as { compositeResponse?: unknown } | null | undefined)?.compositeResponse
  return questions.map((question, n) => {
    const part = (Array.isArray(parts) ? parts[n] : null) as { httpStatusCode?: unknown; body?: unknown } | null
    const body = part?.body as { done?: unknown; records?: unknown; nextRecordsUrl?: unknown } | null | undefined
    if (part?.httpStatusCode === 200 && typeof body?.done === 'boolean' && Array.isArray(body.records)) {
      const { done, records, nextRecordsUrl } = body
      return { question, records, part: typeof nextRecordsUrl === 'string' ? { done, nextRecordsUrl } : { done } }
    }
    // An unreadable answer must not pass for "no records".
    const reply = (Array.isArray(part?.body) ? part.body[0] : null) as RefusedReply | null
    const refusal = reply && failureOfCall(Object.assign(new Error(String(reply.message ?? '')), reply))
    if (refusal) throw refusal
    const why = typeof reply?.errorCode === 'string' ? `: ${reply.errorCode}` : ''
    throw new AppError('CRM_UNAVAILABLE', `Salesforce answered a question unreadably${why}`, { retry: 'later' })
  })
}

/** In the form of a call that is refused on its own. */
interface RefusedReply {
  readonly errorCode?: unknown
  readonly message?: string
}
