/** Calls to a CRM and the way of a lead into it are measured as they happen. */
import { expect, test } from 'vitest'
import '../../../src/telemetry/crm-calls.ts'
import { crmCallSeconds, orderToLeadSeconds } from '../../../src/telemetry/measured.ts'
import { insertOrder } from './paid-order.ts'
import { three, usePushes } from './pushes-by-hand.ts'

const org = usePushes()

type Measure = typeof crmCallSeconds | typeof orderToLeadSeconds
async function countOf(histogram: Measure, wanted: Readonly<Record<string, string>>): Promise<number> {
  const { values } = await histogram.get()
  const found = values.filter(
    ({ metricName, labels }) =>
      metricName?.endsWith('_count') &&
      Object.entries(wanted).every(([name, value]) =>
        Object.entries(labels).some(([n, v]) => n === name && v === value),
      ),
  )
  return found.reduce((sum, { value }) => sum + value, 0)
}

test('calls to a CRM are timed by the class of their answer, and a lead by its order when it is acknowledged first', async () => {
  const orderId = await insertOrder(org.database.db, org.accountId, three())
  const destination = await org.addOrg()
  const calls = await countOf(crmCallSeconds, { crm: 'Salesforce', status: '2xx' })
  const before = await countOf(orderToLeadSeconds, { stage: 'delivered' })
  await org.push(orderId, destination)
  expect(await countOf(crmCallSeconds, { crm: 'Salesforce', status: '2xx' })).toBeGreaterThan(calls)
  expect(await countOf(orderToLeadSeconds, { stage: 'delivered' })).toBe(before + 3)
  const { values } = await orderToLeadSeconds.get()
  const sum = values.find(({ metricName }) => metricName?.endsWith('_sum'))?.value ?? 0
  expect(sum).toBeGreaterThan(0)
  await org.push(orderId, destination)
  expect(await countOf(orderToLeadSeconds, { stage: 'delivered' })).toBe(before + 3)
})
