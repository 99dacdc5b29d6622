/** The suppression list: the contacts themselves are never shown, only kind, reason and reference. */
import { useAddressState, usePage, useSort } from '../look/address-state.ts'
import { Choice } from '../look/choice.tsx'
import type { FieldShape, Typed } from '../look/field-shape.ts'
import { ListTable } from '../look/list-table.tsx'
import { Page } from '../look/page.tsx'
import { api, type SortOf } from '../wire/api.ts'
import { useReadPage } from '../wire/use-read.ts'
import { ForOperators } from './for-operators.tsx'
import { OperatorAct } from './operator-act.tsx'

const limit = 25
const kinds = ['email', 'mobile', 'din', 'pan'] as const
const words = { email: 'e-mail address', mobile: 'mobile number', din: 'DIN', pan: 'PAN' } as const
const fields: readonly FieldShape[] = [
  { name: 'email', label: 'E-mail addresses', kind: 'lines', optional: true, hint: 'One on each line.' },
  { name: 'mobile', label: 'Mobile numbers', kind: 'lines', optional: true },
  { name: 'din', label: 'DINs', kind: 'lines', optional: true },
  { name: 'pan', label: 'PANs of proprietors', kind: 'lines', optional: true },
  { name: 'reason', label: 'Reason', optional: true },
  { name: 'reference', label: 'Reference', optional: true, hint: 'For example the number of a letter.' },
]

export default function Suppressions() {
  const [kind, setKind] = useAddressState('kind')
  const [page] = usePage()
  const sort = useSort<SortOf<'listSuppressions'>>()
  const known = kinds.find((each) => each === kind)
  const entries = useReadPage(['suppressions', kind, page, sort], () =>
    api.GET('/admin/suppressions', {
      params: { query: { page, limit, ...sort, ...(known && { kind: known }) } },
    }),
  )
  return (
    <Page
      title="Suppressions"
      lead="People who object are withheld from details, leads and CRMs. The list keeps no address in the clear."
      acts={
        <OperatorAct
          label="Withhold contacts"
          title="Withhold the contacts of people who object"
          says={() => 'The contacts are withheld.'}
          tone="main"
          fields={fields}
          calls={(typed) => api.POST('/admin/suppressions', { body: objectionOf(typed) })}
        />
      }
    >
      <div className="filters">
        <Choice
          label="Kind"
          value={kind}
          options={['', ...kinds.map((value) => ({ value, label: words[value] }))]}
          set={setKind}
        />
      </div>
      <ListTable
        of={entries}
        what="the list"
        pages={{ limit, one: 'entry' }}
        caption="Suppressions"
        keyOf={({ id }) => id}
        empty={
          <p>
            Nobody has objected yet. <ForOperators>When somebody does, press “Withhold contacts”.</ForOperators>
          </p>
        }
        columns={[
          { head: 'Kind', sortedAs: 'kind', cell: (entry) => words[entry.kind] },
          { head: 'Since', sortedAs: 'created_at', at: ({ created_at }) => created_at },
          { head: 'Reason', cell: ({ reason }) => reason ?? '–' },
          { head: 'Reference', cell: ({ reference }) => reference ?? '–' },
          { head: 'By', sortedAs: 'created_by', cell: ({ created_by }) => created_by },
          {
            head: 'Change',
            cell: ({ id }) => (
              <OperatorAct
                label="Take off"
                title="Take this entry off the list?"
                says={() => 'The entry is off the list.'}
                tone="danger"
                calls={() => api.DELETE('/admin/suppressions', { body: { id: [id] } })}
              >
                <p>The person can be reached again, where a register names a contact.</p>
              </OperatorAct>
            ),
          },
        ]}
      />
    </Page>
  )
}

function objectionOf({ reason, reference, ...lists }: Typed) {
  const linesOf = (text: string | undefined) => text?.split(/\s*\n\s*/).filter((line) => line !== '') ?? []
  const { email, mobile, din, pan } = lists
  return {
    ...(email && { email: linesOf(email) }),
    ...(mobile && { mobile: linesOf(mobile) }),
    ...(din && { din: linesOf(din) }),
    ...(pan && { pan: linesOf(pan) }),
    ...(reason && { reason }),
    ...(reference && { reference }),
  }
}
