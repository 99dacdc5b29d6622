/** Reads records by external id. Reading by a unique property sees every committed write; HubSpot's search does not. */
import { AppError } from '../../src/errors.ts'
import type { FoundRecord } from '../push-port.ts'
import { testAgain } from './administrator.ts'
import type { HubspotClient } from './client.ts'
import { type CrmObject, crmObjects, idProperty, objectOfExternalId, propertiesOf } from './mapping.ts'
import { refusedCall } from './refusals.ts'
import { BatchReply, faultOf } from './replies.ts'

const readSizeMax = 100

/**
 * What an account without `panji_id` means. A plan and an erasure find nothing there, which is the truth; a push must
 * not go on, since every row would be refused.
 */
export type BeforeSetUp = 'nothing' | 'refuse'

/** Ids that HubSpot does not hold are absent. */
export async function findRecords(
  client: HubspotClient,
  externalIds: readonly string[],
  beforeSetUp: BeforeSetUp,
  /** Properties of an object that are read beside its own. */
  more: (object: CrmObject) => readonly string[] = () => [],
): Promise<ReadonlyMap<string, FoundRecord>> {
  const found = new Map<string, FoundRecord>()
  for (const object of crmObjects) {
    const ids = [...new Set(externalIds)].filter((id) => objectOfExternalId(id) === object)
    for (let from = 0; from < ids.length; from += readSizeMax)
      await findBatch(client, object, ids.slice(from, from + readSizeMax), { beforeSetUp, found, more: more(object) })
  }
  return found
}

async function findBatch(
  client: HubspotClient,
  object: CrmObject,
  ids: readonly string[],
  {
    beforeSetUp,
    found,
    more,
  }: {
    readonly beforeSetUp: BeforeSetUp
    readonly found: Map<string, FoundRecord>
    readonly more: readonly string[]
  },
): Promise<void> {
  const { status, body } = await client.ask({
    method: 'POST',
    path: `/crm/objects/2026-03/${object}/batch/read`,
    body: {
      idProperty,
      inputs: ids.map((id) => ({ id })),
      properties: [...new Set([...propertiesOf(object).keys(), ...more])],
    },
  })
  if (status === 400 && beforeSetUp === 'nothing' && !(await hasIdentity(client, object))) return
  if (status >= 300) throw refusedCall(`read ${object} by ${idProperty}; ${testAgain}`, status, faultOf(body))
  const reply = BatchReply.safeParse(body)
  // An answer that cannot be read must not pass for "nothing there".
  if (!reply.success)
    throw new AppError('CRM_UNAVAILABLE', `HubSpot's answer about ${object} could not be read`, { retry: 'later' })
  const idByKey = new Map(ids.map((id) => [id.toLowerCase(), id]))
  for (const { id: crmId, properties } of reply.data.results) {
    const externalId = idByKey.get(properties[idProperty]?.toLowerCase() ?? '')
    if (externalId === undefined) continue
    const values = Object.entries(properties).filter(([, value]) => value !== null && value !== '')
    found.set(externalId, { crmId, values: Object.fromEntries(values) })
  }
}

async function hasIdentity(client: HubspotClient, object: CrmObject): Promise<boolean> {
  const { status } = await client.ask({ method: 'GET', path: `/crm/properties/2026-03/${object}/${idProperty}` })
  return status !== 404
}
