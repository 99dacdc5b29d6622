/** A link that signs this browser in to the page of a record in a sandbox CRM. */
import { api, dataOf } from '../../wire/api.ts'

export async function sandboxLink(id: string) {
  const params = { path: { delivery_id: id } }
  return dataOf(await api.POST('/api/crm/deliveries/{delivery_id}/sandbox', { params, body: {} }))
}
