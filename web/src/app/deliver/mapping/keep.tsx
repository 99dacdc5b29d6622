/** Saves a draft of a mapping; the server first checks it against the CRM's fields. */
import type { FieldShape } from '../../../look/field-shape.ts'
import { api } from '../../../wire/api.ts'
import { readAgain } from '../../../wire/queries.ts'
import { AccountAct } from '../../account-act.tsx'
import { broughtUp, type MappingDraft } from './draft.ts'
import { mappingOf } from './read-mapping.ts'

const asked: readonly FieldShape[] = [
  {
    ...{ name: 'resend', label: 'Also update delivered leads', kind: 'check', optional: true },
    hint: 'Compares them with the register and writes what differs in fields that belong to it.',
  },
]

export function Keep(props: {
  readonly id: string
  readonly draft: MappingDraft
  /** False while the preview of the leads is loading: nobody saves what they have not seen. */
  readonly isSeen: boolean
  readonly kept: () => void
}) {
  const { id, draft, isSeen, kept } = props
  return (
    <AccountAct
      needs="deliver"
      asAdmin
      label="Keep"
      title="Keep these fields?"
      says={() => 'The fields are kept.'}
      disabled={!isSeen}
      tone="main"
      whole={{
        ...{ what: 'the fields', fields: asked, revision: draft.revision },
        readAnew: async () => {
          const now = await readAgain(mappingOf(id))
          return { fields: asked, revision: now.revision, changed: broughtUp(draft, now).changed }
        },
      }}
      calls={({ resend }, _, revision) => {
        const params = { path: { destination_id: id } }
        const body = { fields: [...draft.fields], resend: resend === 'on', revision }
        return api.PUT('/api/crm/destinations/{destination_id}/mapping', { params, body })
      }}
      done={kept}
    >
      <p>
        Rejected leads are sent again with them; where only approved plans are delivered, with the next plan of their
        order. Delivered leads follow with their next change, or at once:
      </p>
    </AccountAct>
  )
}
