/**
 * Writes the records of many rows, each row as a graph of its own: Salesforce accepts all records of a graph or none,
 * so no row is written partially. A call has at most 75 graphs. Returns the outcomes in the order of the rows.
 */
import { parseJson } from '../../answers.ts'
import type { PushOutcome } from '../../contract.ts'
import { emptied, type SalesforceClient } from '../client.ts'
import { outcomeOf, type RowResult } from '../outcomes.ts'
import type { SalesforceSettings } from '../settings.ts'
import type { PreparedPart, PreparedRow } from './decide.ts'
import { partName } from './parts.ts'

export const graphsMax = 75

interface Node {
  readonly method: 'POST' | 'PATCH'
  readonly url: string
  readonly referenceId: string
  readonly body: Readonly<Record<string, string | number | null>>
  readonly httpHeaders: Readonly<Record<string, string>>
}

/** @param how `create` refuses existing records, for rows that were not read. */
export async function writeGraphs(
  client: SalesforceClient,
  settings: SalesforceSettings,
  rows: readonly PreparedRow[],
  how: 'create' | 'upsert',
): Promise<readonly PushOutcome[]> {
  const graphs = rows.map((row, n) => ({ graphId: `row${n}`, compositeRequest: nodesOf(client, settings, row, how) }))
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const body = JSON.stringify({ graphs })
  const { text } = await client.exchange({ method: 'POST', path: '/composite/graph', headers, body })
  const answers = answersIn(text)
  return rows.map((row, n) => outcomeOfRow(row, answers.get(`row${n}`), settings.external_id_field))
}

/** Records without changes have no node. */
function nodesOf(
  client: SalesforceClient,
  { external_id_field: identity }: SalesforceSettings,
  { lead, parts, companyId }: PreparedRow,
  how: 'create' | 'upsert',
): Node[] {
  const [main] = parts
  const key = encodeURIComponent(lead.externalId)
  const httpHeaders = client.writeHeaders()
  return parts.filter(needsNode).map(({ object, record, decision }) => {
    const { [identity]: _, ...written } = decision.write
    const fields = emptied(written)
    const url = `${client.basePath}/sobjects/${object}`
    const isOfAccount = object === 'Contact' && record === undefined
    const account = !isOfAccount ? null : main?.object === 'Account' ? accountOf(main) : companyId
    const body = account === null ? fields : { ...fields, AccountId: account }
    const common = { referenceId: object.toLowerCase(), httpHeaders }
    return how === 'create'
      ? { ...common, method: 'POST', url, body: { ...body, [identity]: lead.externalId } }
      : { ...common, method: 'PATCH', url: `${url}/${identity}/${key}`, body }
  })
}

const accountOf = ({ record }: PreparedPart): string => record?.Id ?? '@{account.id}'

const needsNode = ({ record, decision }: PreparedPart): boolean =>
  record === undefined || Object.keys(decision.write).length > 0

interface Answer {
  readonly referenceId?: unknown
  readonly httpStatusCode?: unknown
  readonly body?: unknown
}

function answersIn(text: string): ReadonlyMap<unknown, readonly Answer[]> {
  const { graphs } = (parseJson(text) ?? {}) as { graphs?: unknown }
  const list = (Array.isArray(graphs) ? graphs : []) as readonly {
    readonly graphId?: unknown
    readonly graphResponse?: { readonly compositeResponse?: unknown }
  }[]
  return new Map(
    list.map(({ graphId, graphResponse }) => {
      const parts = graphResponse?.compositeResponse
      return [graphId, Array.isArray(parts) ? (parts as Answer[]) : []] as const
    }),
  )
}

function outcomeOfRow(row: PreparedRow, answers: readonly Answer[] | undefined, identity: string): PushOutcome {
  const results = row.parts
    .filter(needsNode)
    .map((part) => [part, answers?.find(({ referenceId }) => referenceId === part.object.toLowerCase())] as const)
  // All parts of a refused graph fail; one of them has the reason, the others only say that they were halted.
  const culprit = results.find(([, answer]) => refusedWith(answer) !== null && refusedWith(answer) !== halted)
  if (culprit) {
    const [{ object }, answer] = culprit
    const outcome = outcomeOf({ success: false, errors: errorsIn(answer) }, {}, identity)
    return 'field' in outcome && outcome.field !== null
      ? { ...outcome, field: partName(object, outcome.field) }
      : outcome
  }
  const written = new Map(results.map(([{ object }, answer]) => [object, idIn(answer)] as const))
  const [main] = row.parts
  const crmId = main === undefined ? undefined : (written.get(main.object) ?? main.record?.Id)
  const whole = [...written.values()].every((id) => id !== undefined)
  const result: RowResult = whole ? { success: true, id: crmId, created: main?.record === undefined } : {}
  // The ledger stores the id of a person created for a company.
  const made = row.parts.slice(1).flatMap(({ object, record }) => {
    const id = record === undefined ? written.get(object) : undefined
    return id === undefined ? [] : [[partName(object, 'Id'), id] as const]
  })
  return outcomeOf(result, { ...row.decision.values, ...Object.fromEntries(made) }, identity)
}

const halted = 'PROCESSING_HALTED'

function refusedWith(answer: Answer | undefined): string | null {
  const [first] = errorsIn(answer)
  return first?.statusCode ?? null
}

/** In the form of a Collections result. */
function errorsIn(answer: Answer | undefined) {
  const list = (Array.isArray(answer?.body) ? answer.body : []) as readonly {
    readonly errorCode?: unknown
    readonly message?: unknown
    readonly fields?: unknown
  }[]
  return list.map(({ errorCode, message, fields }) => ({
    ...{ message, fields },
    statusCode: typeof errorCode === 'string' ? errorCode : 'UNKNOWN',
  }))
}

function idIn(answer: Answer | undefined): string | undefined {
  const { id, success } = (answer?.body ?? {}) as { id?: unknown; success?: unknown }
  return success === true && typeof id === 'string' ? id : undefined
}
