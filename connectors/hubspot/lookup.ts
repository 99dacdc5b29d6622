/** Reads records by external id. A read by a unique property sees every committed write; HubSpot's search does not. */
import { readAs } from '../answers.ts'
import type { FoundRecord } from '../push-port.ts'
import { slices } from '../slices.ts'
import { testAgain } from './administrator.ts'
import type { CrmAnswer, HubspotClient } from './client.ts'
import { type CrmObject, crmObjects, idProperty, objectOfExternalId, propertiesOf } from './mapping.ts'
import { refusedCall } from './refusals.ts'
import { BatchReply, faultOf } from './replies.ts'

const readSizeMax = 100

/**
 * How to treat an account without `panji_id`. A plan or an erasure rightly finds nothing there; a push must not
 * continue, since every row would be refused.
 */
export type BeforeSetUp = 'nothing' | 'refuse'

/** External ids that HubSpot does not have are absent. */
export async function findRecords(
  client: HubspotClient,
  externalIds: readonly string[],
  beforeSetUp: BeforeSetUp,
  /** Further properties to read of an object. */
  more: (object: CrmObject) => readonly string[] = () => [],
): Promise<ReadonlyMap<string, FoundRecord>> {
  const found = new Map<string, FoundRecord>()
  for (const object of crmObjects) {
    const ids = [...new Set(externalIds)].filter((id) => objectOfExternalId(id) === object)
    const idByKey = new Map(ids.map((id) => [id.toLowerCase(), id]))
    const properties = [...propertiesOf(object).keys(), ...more(object)]
    for (const some of slices(ids, readSizeMax)) {
      const { status, body } = await readBatch(client, object, { by: idProperty, values: some, properties })
      if (status === 400 && beforeSetUp === 'nothing' && !(await hasIdentity(client, object))) break
      if (status >= 300) throw refusedCall(`read ${object} by ${idProperty}; ${testAgain}`, status, faultOf(body))
      for (const record of recordsIn(object, body)) {
        const externalId = idByKey.get(String(record.values[idProperty]).toLowerCase())
        if (externalId !== undefined) found.set(externalId, record)
      }
    }
  }
  return found
}

/** Records by the values of a property that is the id or has unique values. */
export async function readBy(
  client: HubspotClient,
  object: CrmObject,
  by: string,
  values: readonly string[],
  properties: readonly string[],
): Promise<readonly FoundRecord[]> {
  const found: FoundRecord[] = []
  for (const some of slices(values, readSizeMax)) {
    const { status, body } = await readBatch(client, object, { by, values: some, properties })
    if (status >= 300) {
      const act = `read ${object} by ${by}, which match_on may name only where its values are unique`
      throw refusedCall(act, status, faultOf(body))
    }
    found.push(...recordsIn(object, body))
  }
  return found
}

interface BatchRead {
  readonly by: string
  readonly values: readonly string[]
  readonly properties: readonly string[]
}

function readBatch(
  client: HubspotClient,
  object: CrmObject,
  { by, values, properties }: BatchRead,
): Promise<CrmAnswer> {
  const inputs = values.map((id) => ({ id }))
  const body = { ...(by !== 'hs_object_id' && { idProperty: by }), inputs, properties: [...new Set(properties)] }
  return client.ask({ method: 'POST', path: `/crm/objects/2026-03/${object}/batch/read`, body })
}

const recordsIn = (object: CrmObject, body: unknown): readonly FoundRecord[] =>
  readAs(BatchReply, body, `HubSpot's answer about ${object}`).results.map(({ id: crmId, properties }) => {
    const held = Object.entries(properties).filter(([, value]) => value !== null && value !== '')
    return { crmId, values: Object.fromEntries(held) }
  })

async function hasIdentity(client: HubspotClient, object: CrmObject): Promise<boolean> {
  const { status } = await client.ask({ method: 'GET', path: `/crm/properties/2026-03/${object}/${idProperty}` })
  return status !== 404
}
