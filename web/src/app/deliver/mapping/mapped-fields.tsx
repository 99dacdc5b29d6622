/** Each field of the CRM with its type, its override, and the value that the lead would put into it. */
import type { components } from '../../../../../client/api-types.ts'
import { DataTable } from '../../../look/data-table.tsx'
import { counted } from '../../../look/numbers.ts'
import { AccountAct } from '../../account-act.tsx'
import { ofKinds, overrideFields, overrideInWords, overrideOf } from './override.ts'
import type { FieldMapping } from './read-mapping.ts'

type CrmField = components['schemas']['CrmField']
type MappedSample = components['schemas']['MappedSample']
type Row = CrmField & { readonly override: FieldMapping | null }

export function MappedFields(props: {
  readonly crmFields: readonly CrmField[]
  /** Of the lead. */
  readonly columns: readonly string[]
  /** undefined before the account has leads. */
  readonly sample: MappedSample | undefined
  readonly fields: readonly FieldMapping[]
  /** Also fields without an override. */
  readonly isAll: boolean
  /** Previews it on the leads first. @throws PanjiApiError for an override that is not valid. */
  readonly see: (fields: readonly FieldMapping[]) => Promise<void>
  readonly change: (fields: readonly FieldMapping[]) => void
}) {
  const { crmFields, columns, sample, fields, isAll, see, change } = props
  const filled = new Map([...(sample?.unmapped ?? []), ...(sample?.fields ?? [])].map((each) => [each.field, each]))
  // Each kind of lead can have its own override.
  const rows = crmFields.flatMap((field): readonly Row[] => {
    const said = fields.filter((each) => each.field === field.name)
    if (said.length === 0) return isAll ? [{ ...field, override: null }] : []
    return said.map((override) => ({ ...field, override }))
  })
  const without = (override: FieldMapping | null) => fields.filter((each) => each !== override)
  return (
    <DataTable
      caption="Fields of the CRM"
      rows={rows}
      keyOf={({ name, override }) => `${name} ${override?.for?.join() ?? ''}`}
      empty={<p>No field is changed. Choose “all” to see the fields of the CRM.</p>}
      columns={[
        {
          head: 'Field',
          cell: ({ name, label, required }) => (
            <>
              {label}
              {required && ' (required)'} <code>{name}</code>
            </>
          ),
        },
        { head: 'Takes', cell: takes },
        {
          head: 'Changed to',
          cell: ({ override }) => (override ? overrideInWords(override) : <span className="faint">not changed</span>),
        },
        {
          head: 'Of this lead',
          cell: ({ name }) => {
            const seen = filled.get(name)
            if (!seen?.value) return <span className="faint">{sample ? 'nothing' : 'no lead yet'}</span>
            return (
              <>
                {seen.value}
                {'fault' in seen && seen.fault && <strong> {seen.fault}</strong>}
              </>
            )
          },
        },
        {
          head: 'Change',
          cell: ({ name, label, override }) => (
            <div className="acts">
              <AccountAct
                needs="deliver"
                asAdmin
                label="Change"
                title={`What goes into ${label}${ofKinds(override)}?`}
                says={() => `${label} is changed in the draft.`}
                fields={overrideFields(override ?? undefined, columns)}
                keeps={() => true}
                run={async (typed) => {
                  const changed = overrideOf(name, typed)
                  await see(changed ? [...without(override), changed] : without(override))
                }}
              >
                <p>You see it on a lead first; nothing is saved yet.</p>
              </AccountAct>
              {override && (
                <button type="button" onClick={() => change(without(override))}>
                  Undo the change
                </button>
              )}
            </div>
          ),
        },
      ]}
    />
  )
}

function takes({ type, lengthMax, allowed }: CrmField): string {
  const length = lengthMax === null ? '' : `, ${counted(lengthMax, 'character')}`
  return `${type}${length}${allowed === null ? '' : `: ${allowed.slice(0, 5).join(', ')}${allowed.length > 5 ? ' …' : ''}`}`
}
