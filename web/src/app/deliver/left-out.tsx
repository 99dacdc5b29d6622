/** Fields that a CRM no longer has, for leads it accepted without them in the last two weeks. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { components } from '../../../../client/api-types.ts'
import { counted } from '../../look/numbers.ts'
import { api, dataOf } from '../../wire/api.ts'

export function LeftOut(props: {
  readonly of: components['schemas']['DeliverySummary']['left_out']
  readonly destination: string
}) {
  if (props.of.length === 0) return null
  return (
    <>
      <h3>Not written</h3>
      <ul className="counted">
        {props.of.map(({ field, message, records }) => (
          <li key={field}>
            <span>
              <strong>{field}: </strong>
              {message}
            </span>
            <Link href={`/destinations/${props.destination}/resend`}>{`Send ${counted(records, 'lead')} again`}</Link>
          </li>
        ))}
      </ul>
    </>
  )
}

/** For the page of one CRM. */
export function LeftOutHere({ destination }: { readonly destination: string }) {
  const { data } = useQuery({
    queryKey: ['deliveries', 'summary', 'all'],
    queryFn: async () => dataOf(await api.GET('/api/crm/delivery-summary')).data,
  })
  const here = data?.find(({ destination_id: id }) => id === destination)
  return here ? <LeftOut of={here.left_out} destination={destination} /> : null
}
