/** What removing a CRM does to the standing orders that deliver to it; shown before it is removed. */
import { api } from '../../wire/api.ts'
import { useRead } from '../../wire/use-read.ts'

/** More than any account may have switched on. */
const limit = 100

export function AffectedStandingOrders({ id }: { readonly id: string }) {
  const orders = useRead(['standing-orders', 'into', id], () =>
    api.GET('/api/standing-orders', { params: { query: { page: 1, limit } } }),
  )
  const there = (orders.data?.data ?? []).filter(
    ({ state, delivery }) => state !== 'ended' && delivery.destinations.includes(id),
  )
  if (there.length === 0) return null
  const named = (alone: boolean) =>
    there.filter(({ delivery }) => (delivery.destinations.length === 1) === alone).map(({ name }) => name)
  const [waiting, going] = [named(true), named(false)]
  return (
    <>
      {waiting.length > 0 && (
        <p>
          <strong>{waiting.join(', ')}</strong> {waiting.length === 1 ? 'delivers' : 'deliver'} nowhere else: new
          matches wait until another CRM is chosen.
        </p>
      )}
      {going.length > 0 && (
        <p>
          <strong>{going.join(', ')}</strong> {going.length === 1 ? 'continues' : 'continue'} with other CRMs.
        </p>
      )}
    </>
  )
}
