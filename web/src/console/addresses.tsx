/** Blocked IP addresses and networks. */
import { ListTable } from '../look/list-table.tsx'
import { Page } from '../look/page.tsx'
import { api } from '../wire/api.ts'
import { useRead } from '../wire/use-read.ts'
import { OperatorAct } from './operator-act.tsx'

export default function Addresses() {
  const blocked = useRead(['blocked'], () => api.GET('/admin/security/blocked-ips'))
  return (
    <Page
      title="Blocked addresses"
      acts={
        <OperatorAct
          label="Block an address"
          title="Block an address or a network"
          says={() => 'The address is blocked.'}
          tone="danger"
          fields={[
            { name: 'ip', label: 'Address or network', hint: 'For example 203.0.113.7 or 203.0.113.0/24.' },
            { name: 'reason', label: 'Reason', optional: true },
          ]}
          calls={({ ip = '', reason }) =>
            api.POST('/admin/security/block-ip', { body: { ip, ...(reason && { reason }) } })
          }
        />
      }
    >
      <ListTable
        of={blocked}
        what="the addresses"
        caption="Blocked addresses"
        keyOf={({ ip }) => ip}
        empty={<p>No address is blocked.</p>}
        columns={[
          { head: 'Address', by: ({ ip }) => ip, cell: ({ ip }) => <code>{ip}</code> },
          { head: 'Reason', by: ({ reason }) => reason },
          { head: 'Since', at: ({ blocked_at }) => blocked_at },
          { head: 'By', by: ({ blocked_by }) => blocked_by },
          {
            head: 'Change',
            cell: ({ ip }) => (
              <OperatorAct
                label="Let in again"
                title={`Let ${ip} in again?`}
                says={() => `${ip} is let in again.`}
                calls={() => api.POST('/admin/security/unblock-ip', { body: { ip } })}
              />
            ),
          },
        ]}
      />
    </Page>
  )
}
