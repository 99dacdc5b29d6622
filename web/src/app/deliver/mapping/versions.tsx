/** The versions of a mapping: who saved which and when. An earlier one can be restored. */
import { useQuery } from '@tanstack/react-query'
import { DataTable } from '../../../look/data-table.tsx'
import { count } from '../../../look/numbers.ts'
import { Reading } from '../../../look/reading.tsx'
import { api, dataOf } from '../../../wire/api.ts'
import { AccountAct } from '../../account-act.tsx'

export const versionsOf = (id: string) => ['destinations', 'mapping', id, 'versions'] as const

export function Versions({ id, restored }: { readonly id: string; readonly restored: () => void }) {
  const params = { path: { destination_id: id } }
  const versions = useQuery({
    queryKey: versionsOf(id),
    queryFn: async () =>
      dataOf(await api.GET('/api/crm/destinations/{destination_id}/mapping/versions', { params })).data,
  })
  return (
    <Reading of={versions} what="the versions">
      {(data) => (
        <DataTable
          caption="Versions"
          rows={data}
          keyOf={({ version }) => String(version)}
          empty={<p>Nothing was saved yet.</p>}
          columns={[
            { head: 'Version', by: ({ version }) => version, cell: ({ version }) => count(version) },
            { head: 'Saved', at: ({ saved_at }) => saved_at },
            { head: 'By', by: ({ saved_by }) => saved_by },
            {
              head: 'Fields',
              by: ({ fields }) => fields.length,
              cell: ({ fields }) => count(fields.length),
            },
            {
              head: 'Restored from',
              by: ({ restored_from }) => restored_from,
              cell: ({ restored_from }) => restored_from ?? '–',
            },
            {
              head: 'Change',
              cell: ({ version }) =>
                version === data[0]?.version ? (
                  'in use'
                ) : (
                  <AccountAct
                    needs="deliver"
                    asAdmin
                    label="Restore"
                    title={`Restore version ${version}?`}
                    says={() => `Version ${version} is restored.`}
                    calls={() => {
                      const body = { version, resend: false }
                      return api.PUT('/api/crm/destinations/{destination_id}/mapping', { params, body })
                    }}
                    done={restored}
                  >
                    <p>It is checked against the CRM’s fields and becomes the newest version.</p>
                  </AccountAct>
                ),
            },
          ]}
        />
      )}
    </Reading>
  )
}
