/** A record that a CRM does not let go now holds up the recall of no other, and is told as erased once it is. */
import { beforeEach, expect, test } from 'vitest'
import type { ZohoSandbox } from '../../../sandboxes/zoho/sandbox.ts'
import { addSuppressions } from '../../../src/access/suppressions.ts'
import { reconcile } from '../../../src/deliver/push/reconcile.ts'
import { recallLeads } from '../../../src/deliver/recall/recall-leads.ts'
import { readObjection } from '../../../src/domain/objection.ts'
import { directorLead } from '../../conformance/sample-leads.ts'
import { recordJobs } from '../../support/api.ts'
import { asOperator, overHttp } from '../../support/as-operator.ts'
import { useDeliveryWorld } from './delivery-world.ts'

const world = useDeliveryWorld()
const { signal } = new AbortController()

beforeEach(() => world.stopWorker())

test('of more records than one call takes the locked one stays with its recall, and all others are erased and told so', async () => {
  const destinationId = await world.addDestination('zoho')
  const leads = Array.from({ length: 102 }, (_, n) => directorLead(n + 1))
  await world.push(await world.order(leads), destinationId)
  expect(await reconcile(world.parts(), destinationId, signal)).toMatchObject({ failure: null })
  const box = world.box('zoho') as ZohoSandbox
  const first = leads.map(({ externalId }) => externalId).toSorted()[0]
  const locked = box.records().find(({ properties }) => properties['Panji_Id'] === first)?.id ?? ''
  box.submit(locked)
  const objections = leads.flatMap(({ externalId }) => readObjection('din', externalId.slice('director:'.length)) ?? [])
  await asOperator(() =>
    world.database
      .as('panji_api')
      .transaction((tx) => addSuppressions(tx, recordJobs(), { objections, actor: overHttp })),
  )
  const recalls = () =>
    world.database.db.query<{ status: string; recalls: number }>(
      'SELECT status, count(*)::int AS recalls FROM deliver.recall WHERE destination_id = $1 GROUP BY 1 ORDER BY 1',
      [destinationId],
    )
  await expect(recallLeads(world.parts(), signal)).rejects.toThrow(/RECORD_LOCKED/)
  expect(box.records().map(({ id }) => id)).toEqual([locked])
  expect(await recalls()).toEqual([
    { status: 'erased', recalls: 101 },
    { status: 'pending', recalls: 1 },
  ])
  box.decide(locked)
  await recallLeads(world.parts(), signal)
  expect(box.records()).toEqual([])
  expect(await recalls()).toEqual([{ status: 'erased', recalls: 102 }])
})
