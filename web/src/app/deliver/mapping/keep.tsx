/** Keeps a draft of a mapping; the server checks it against the fields of the CRM first. */
import type { FieldShape } from '../../../look/field-shape.ts'
import { api, dataOf } from '../../../wire/api.ts'
import { readAgain } from '../../../wire/queries.ts'
import { AccountAct } from '../../account-act.tsx'
import { broughtUp, type MappingDraft } from './draft.ts'
import { mappingOf } from './read-mapping.ts'

const asked: readonly FieldShape[] = [
  {
    ...{ name: 'resend', label: 'Compare what is delivered already', kind: 'check', optional: true },
    hint: 'And write what differs, where it belongs to the register.',
  },
]

export function Keep(props: {
  readonly id: string
  readonly draft: MappingDraft
  /** False while what it makes of the leads is still read: nobody keeps what was not seen. */
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
      run={async ({ resend }, _, revision) => {
        const params = { path: { destination_id: id } }
        const body = { fields: [...draft.fields], resend: resend === 'on', revision }
        return dataOf(await api.PUT('/api/crm/destinations/{destination_id}/mapping', { params, body }))
      }}
      done={kept}
    >
      <p>What was rejected goes again with them. What is delivered follows with its next change, or at once:</p>
    </AccountAct>
  )
}
