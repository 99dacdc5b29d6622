/** Reads a job's leads before it is written: a thousand in one composite call, which is one call to the org's quota. */
import { AppError } from '../../../src/errors.ts'
import type { SalesforceClient, SalesforceRecord } from '../client.ts'
import { failureOfCall } from '../outcomes.ts'
import { questionFor, type SalesforceObject } from '../question.ts'

const keysPerQuestion = 200
const questionsPerCall = 5
export const keysPerCall = keysPerQuestion * questionsPerCall

export interface ManyRecords {
  readonly object: SalesforceObject
  readonly keyField: string
  readonly keys: readonly string[]
  readonly fields: readonly string[]
  /** True where records in the recycle bin are asked for, too. */
  readonly isBinToo?: boolean
  /** Of one question; fewer where keys are long. */
  readonly keysAtOnce?: number
  /** Thrown where a question finds more than one page; that no key does is taken for granted otherwise. */
  readonly tooMany?: AppError
}

/** Records that are absent are missing. @throws AppError where one of the questions had no readable answer. */
export async function findMany(
  client: SalesforceClient,
  { object, keyField, keys, fields, isBinToo = false, keysAtOnce = keysPerQuestion, tooMany }: ManyRecords,
): Promise<SalesforceRecord[]> {
  const found: SalesforceRecord[] = []
  const atOnce = keysAtOnce * questionsPerCall
  for (let from = 0; from < keys.length; from += atOnce) {
    const questions = slices(keys.slice(from, from + atOnce), keysAtOnce).map((slice) =>
      questionFor(object, keyField, slice, fields),
    )
    for (const records of await ask(client, questions, { isBinToo, tooMany })) found.push(...records)
  }
  return found
}

function slices(keys: readonly string[], size: number): (readonly string[])[] {
  const count = Math.ceil(keys.length / size)
  return Array.from({ length: count }, (_, n) => keys.slice(n * size, (n + 1) * size))
}

async function ask(
  client: SalesforceClient,
  questions: readonly string[],
  { isBinToo, tooMany }: { readonly isBinToo: boolean; readonly tooMany: AppError | undefined },
): Promise<SalesforceRecord[][]> {
  const way = isBinToo ? 'queryAll' : 'query'
  const compositeRequest = questions.map((soql, n) => ({
    method: 'GET',
    url: `${client.basePath}/${way}?q=${encodeURIComponent(soql)}`,
    referenceId: `question${n}`,
  }))
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const body = JSON.stringify({ allOrNone: false, compositeRequest })
  const { text } = await client.exchange({ method: 'POST', path: '/composite', headers, body })
  return answersIn(text, questions.length, tooMany)
}

function answersIn(text: string, count: number, tooMany: AppError | undefined): SalesforceRecord[][] {
  const parts = (jsonOf(text) as { compositeResponse?: unknown } | null)?.compositeResponse
  return Array.from({ length: count }, (_, n) => {
    const part = (Array.isArray(parts) ? parts[n] : null) as { httpStatusCode?: unknown; body?: unknown } | null
    const body = part?.body as { done?: unknown; records?: unknown } | null | undefined
    if (part?.httpStatusCode === 200 && body?.done === true && Array.isArray(body.records)) return body.records
    if (body?.done === false && tooMany !== undefined) throw tooMany
    // An answer that cannot be read must not pass for "nothing there".
    const told = (Array.isArray(part?.body) ? part.body[0] : null) as Told | null
    const refusal = told && failureOfCall(Object.assign(new Error(String(told.message ?? '')), told))
    if (refusal) throw refusal
    const why = typeof told?.errorCode === 'string' ? `: ${told.errorCode}` : ''
    throw new AppError('CRM_UNAVAILABLE', `Salesforce answered a question unreadably${why}`, { retry: 'later' })
  })
}

/** In the words of a call that is refused alone. */
interface Told {
  readonly errorCode?: unknown
  readonly message?: string
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
