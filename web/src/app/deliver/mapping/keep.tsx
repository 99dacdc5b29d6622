/** Keeps a draft of a mapping; the server checks it against the fields of the CRM first. */
import { api, dataOf } from '../../../wire/api.ts'
import { AccountAct } from '../../account-act.tsx'
import type { FieldMapping } from './read-mapping.ts'

export function Keep(props: {
  readonly id: string
  readonly fields: readonly FieldMapping[]
  /** False while what it makes of the leads is still read: nobody keeps what was not seen. */
  readonly isSeen: boolean
  readonly kept: () => void
}) {
  const { id, fields, isSeen, kept } = props
  return (
    <AccountAct
      needs="deliver"
      asAdmin
      label="Keep"
      title="Keep these fields?"
      says={() => 'The fields are kept.'}
      disabled={!isSeen}
      tone="main"
      fields={[
        {
          ...{ name: 'resend', label: 'Compare what is delivered already', kind: 'check', optional: true },
          hint: 'And write what differs, where it belongs to the register.',
        },
      ]}
      run={async ({ resend }) => {
        const params = { path: { destination_id: id } }
        const body = { fields: [...fields], resend: resend === 'on' }
        return dataOf(await api.PUT('/api/crm/destinations/{destination_id}/mapping', { params, body }))
      }}
      done={kept}
    >
      <p>What was rejected goes again with them. What is delivered follows with its next change, or at once:</p>
    </AccountAct>
  )
}
