/** The feeds an account may read: which places, which days, until when. Grants add up. */
import { Badge } from '../../look/badge.tsx'
import { DataTable } from '../../look/data-table.tsx'
import type { FieldShape, Typed } from '../../look/field-shape.ts'
import { Moment } from '../../look/moment.tsx'
import { Reading } from '../../look/reading.tsx'
import { registerName, registerNames } from '../../look/register-names.ts'
import { territoryOf, windowOf } from '../../look/scope.ts'
import { api } from '../../wire/api.ts'
import { useRead } from '../../wire/use-read.ts'
import { ForOperators } from '../for-operators.tsx'
import { OperatorAct } from '../operator-act.tsx'
import { GrantMap } from './grant-map.tsx'

const datasets = ['company', 'director', 'gst'] as const
const fields: readonly FieldShape[] = [
  { name: 'dataset', label: 'Feed', options: datasets.map((value) => ({ value, label: registerNames[value] })) },
  { name: 'states', label: 'States', optional: true, hint: 'Separated by commas; empty means all of India.' },
  { name: 'districts', label: 'Districts', optional: true },
  { name: 'pincodes', label: 'PIN codes', optional: true },
  { name: 'from_date', label: 'From the day', kind: 'date', optional: true },
  { name: 'to_date', label: 'To the day', kind: 'date', optional: true },
  { name: 'expires', label: 'Ends on', kind: 'date', optional: true },
  { name: 'plan', label: 'Name of the plan', optional: true },
]

export function AccountGrants({ id }: { readonly id: string }) {
  const path = { id }
  const grants = useRead(['accounts', 'grants', id], () => api.GET('/admin/users/{id}/grants', { params: { path } }))
  return (
    <section>
      <div className="page-head">
        <h2>Grants</h2>
        <OperatorAct
          label="Grant a feed"
          title="Grant a feed"
          says={() => 'The feed is granted.'}
          tone="main"
          fields={fields}
          calls={(typed) => api.POST('/admin/users/{id}/grants', { params: { path }, body: grantOf(typed) })}
        />
      </div>
      <Reading of={grants} what="the grants">
        {({ data }) => (
          <div className={data.length > 0 ? 'side-by-side' : undefined}>
            <GrantMap grants={data} />
            <DataTable
              caption="Grants"
              rows={data}
              keyOf={({ grant_id }) => grant_id}
              empty={
                <p>
                  No feed is granted. <ForOperators>Press “Grant a feed” to open one.</ForOperators>
                </p>
              }
              columns={[
                { head: 'Feed', by: ({ dataset }) => registerName(dataset) },
                {
                  head: 'State',
                  by: ({ state }) => state,
                  cell: ({ state }) => <Badge tone={state === 'active' ? 'good' : 'plain'}>{state}</Badge>,
                },
                { head: 'Where', by: ({ territory }) => territoryOf(territory) },
                { head: 'Days', cell: ({ date_window }) => windowOf(date_window) },
                {
                  head: 'Ends',
                  by: ({ expires_at }) => expires_at,
                  cell: ({ expires_at }) => (expires_at ? <Moment at={expires_at} /> : 'never'),
                },
                { head: 'Plan', by: ({ plan }) => plan },
                {
                  head: 'Change',
                  cell: ({ grant_id, state, dataset }) =>
                    state === 'active' || state === 'coming' ? (
                      <OperatorAct
                        label="End"
                        title={`End this grant of the ${dataset} feed?`}
                        says={() => `The grant of the ${dataset} feed is ended.`}
                        tone="danger"
                        calls={() => {
                          const params = { path: { id, grant_id } }
                          return api.DELETE('/admin/users/{id}/grants/{grant_id}', { params, body: {} })
                        }}
                      >
                        <p>It ends at once.</p>
                      </OperatorAct>
                    ) : null,
                },
              ]}
            />
          </div>
        )}
      </Reading>
    </section>
  )
}

function grantOf({ dataset, states, districts, pincodes, from_date, to_date, expires, plan }: Typed) {
  const listOf = (text: string) => text.split(',').map((each) => each.trim())
  return {
    dataset: datasets.find((each) => each === dataset) ?? 'company',
    ...(states && { states: listOf(states) }),
    ...(districts && { districts: listOf(districts) }),
    ...(pincodes && { pincodes: listOf(pincodes) }),
    ...(from_date && { from_date }),
    ...(to_date && { to_date }),
    ...(expires && { expires_at: expires }),
    ...(plan && { plan }),
  }
}
