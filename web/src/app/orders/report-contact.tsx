/** A bad contact can be reported once; the operator decides, and accepting the report refunds the credit. */
import { api } from '../../wire/api.ts'
import { AccountAct } from '../account-act.tsx'

const words = {
  open: 'reported; the operator has not decided yet',
  accepted: 'report accepted',
  rejected: 'report rejected',
} as const

interface Item {
  readonly name: string
  readonly dispute: keyof typeof words | null
}

export function ReportContact(props: { readonly orderId: string; readonly n: number; readonly of: Item }) {
  const { orderId, n, of: item } = props
  if (item.dispute !== null) return <>{words[item.dispute]}</>
  return (
    <AccountAct
      needs="order"
      label="Report"
      title={`Report the contact of ${item.name}`}
      says={() => `The contact of ${item.name} is reported.`}
      fields={[{ name: 'reason', label: 'What is wrong with it' }]}
      calls={({ reason = '' }) => {
        const params = { path: { id: orderId, n } }
        return api.POST('/api/orders/{id}/items/{n}/dispute', { params, body: { reason } })
      }}
    >
      <p>
        You can report a contact once, within 30 days of its charge. The operator of this Panji decides; if the report
        is accepted, the credit is refunded automatically.
      </p>
    </AccountAct>
  )
}
