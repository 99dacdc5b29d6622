/** Leads go in, order by order, one JSON document comes out as they are read: the head's members, then `data`. */
import { exportRecord } from '../nested-lead.ts'
import type { OrderLead } from '../read-leads.ts'

export async function* leadsJson(
  head: Readonly<Record<string, unknown>>,
  batches: AsyncIterable<readonly OrderLead[]>,
): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"data":[`
  let separator = ''
  for await (const batch of batches) {
    for (const lead of batch) {
      yield separator + JSON.stringify(exportRecord(lead))
      separator = ','
    }
  }
  yield ']}'
}
