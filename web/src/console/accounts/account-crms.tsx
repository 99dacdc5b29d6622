/** The CRMs of an account, for operators: their state, and the forms to connect and test them. */
import { Link } from 'wouter'
import { whenInWords } from '../../look/crm/deliver-when.ts'
import { DestinationState } from '../../look/crm/destination-state.tsx'
import { ListTable } from '../../look/list-table.tsx'
import { api } from '../../wire/api.ts'
import { useRead } from '../../wire/use-read.ts'
import { ForOperators } from '../for-operators.tsx'
import { ConnectCrm } from './connect-crm.tsx'
import { CrmActs } from './crm-acts.tsx'
import { useKinds } from './crm-kinds.ts'

export function AccountCrms({ id }: { readonly id: string }) {
  const crms = useRead(['accounts', 'crms', id], () =>
    api.GET('/admin/users/{id}/destinations', { params: { path: { id } } }),
  )
  const kinds = useKinds()
  const nameOf = (type: string) => kinds.data?.find((kind) => kind.type === type)?.label ?? type
  return (
    <section>
      <h2>CRMs</h2>
      <ListTable
        of={crms}
        what="the CRMs"
        caption="CRMs"
        keyOf={({ destination_id }) => destination_id}
        empty={
          <p>
            No CRM is connected. Its people connect one in the app<ForOperators>, or you do it here</ForOperators>.
          </p>
        }
        columns={[
          {
            head: 'Name',
            by: ({ name }) => name,
            cell: ({ destination_id, name }) => (
              <Link href={`/deliveries?account=${id}&destination=${destination_id}`}>{name}</Link>
            ),
          },
          { head: 'Kind', by: ({ type }) => nameOf(type) },
          {
            head: 'State',
            by: ({ status }) => status,
            cell: (destination) => <DestinationState of={destination} />,
          },
          { head: 'Orders go there', by: ({ deliver }) => whenInWords(deliver) },
          {
            head: 'Account there',
            by: ({ remote_account }) => remote_account,
            cell: ({ remote_account }) => remote_account ?? 'not asked yet',
          },
          {
            head: 'Change',
            cell: (destination) => <CrmActs id={id} of={destination} />,
          },
        ]}
      />
      <ConnectCrm id={id} />
    </section>
  )
}
