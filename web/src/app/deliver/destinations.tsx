/** The CRMs that take the leads: connected, tested, held back and let go on. */
import { useQuery } from '@tanstack/react-query'
import { Badge, type Tone } from '../../look/badge.tsx'
import { DataTable } from '../../look/data-table.tsx'
import type { FieldShape } from '../../look/field.tsx'
import { Page } from '../../look/page.tsx'
import { Reading } from '../../look/reading.tsx'
import { api, dataOf } from '../../wire/api.ts'
import { AccountAct } from '../account-act.tsx'
import { DestinationActs } from './destination-acts.tsx'

const tones = { active: 'good', paused: 'plain', broken: 'bad' } as const satisfies Record<string, Tone>
const fields: readonly FieldShape[] = [
  { name: 'name', label: 'Name', hint: 'As your people call it.' },
  { name: 'type', label: 'Kind', hint: 'For example salesforce, hubspot or zoho.' },
  {
    name: 'settings',
    label: 'Settings',
    kind: 'lines',
    initial: '{}',
    hint: 'A JSON object, as the CRM’s own page of the manual tells.',
  },
  { name: 'deliver', label: 'Deliver', options: ['manual', 'approved', 'automatic'] },
]

export default function Destinations() {
  const destinations = useQuery({
    queryKey: ['destinations'],
    queryFn: async () => dataOf(await api.GET('/api/crm/destinations')),
  })
  return (
    <Page
      title="CRMs"
      lead="Where the leads of paid orders go."
      acts={
        <AccountAct
          needs="deliver"
          label="Connect a CRM"
          title="Connect a CRM"
          tone="main"
          fields={fields}
          run={async ({ name = '', type = '', settings = '{}', deliver = 'manual' }) =>
            dataOf(
              await api.POST('/api/crm/destinations', {
                body: { name, type, settings: settingsOf(settings), deliver },
              }),
            )
          }
        >
          <p>The settings are sealed when they are kept, and never shown again.</p>
        </AccountAct>
      }
    >
      <Reading of={destinations} what="your CRMs">
        {({ data }) => (
          <DataTable
            caption="CRMs"
            rows={data}
            keyOf={({ destination_id }) => destination_id}
            empty={<p>No CRM is connected. Press “Connect a CRM”; nothing is sent before you say so.</p>}
            columns={[
              { head: 'Name', cell: ({ name }) => name },
              { head: 'Kind', cell: ({ type }) => type },
              {
                head: 'State',
                cell: ({ status, status_reason, failure }) => (
                  <>
                    <Badge tone={tones[status]}>{status}</Badge> {failure?.message ?? status_reason}
                  </>
                ),
              },
              { head: 'Delivers', cell: ({ deliver }) => deliver },
              { head: 'Account there', cell: ({ remote_account }) => remote_account ?? '–' },
              { head: 'Change', cell: (destination) => <DestinationActs of={destination} /> },
            ]}
          />
        )}
      </Reading>
    </Page>
  )
}

/** What is no JSON object goes to the server as it is said to be none: its sentence names the fault. */
export function settingsOf(text: string): Record<string, unknown> {
  const settings: unknown = JSON.parse(text)
  return typeof settings === 'object' && settings !== null ? { ...settings } : {}
}
