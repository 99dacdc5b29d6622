/** The contacts of an owned lead: channel, source and age. */
import { Link } from 'wouter'
import type { components } from '../../../../client/api-types.ts'
import { DataTable } from '../../look/data-table.tsx'
import { dayAge } from '../../look/days.ts'
import { age, Day } from '../../look/moment.tsx'

const words = { email: 'e-mail', mobile: 'mobile', landline: 'landline' } as const
const schemes = { email: 'mailto', mobile: 'tel', landline: 'tel' } as const

export function OwnedWays({ of: lead }: { readonly of: components['schemas']['OwnedContacts'] }) {
  const { contacts, website, order_id, bought_at } = lead
  return (
    <>
      <p>
        Its lead is yours: <Link href={`/orders/${order_id}`}>bought {bought_at && age(bought_at)}</Link>.
        {website !== null && <> Website: {website}.</>}
      </p>
      <DataTable
        caption="Ways to reach it"
        rows={contacts}
        keyOf={({ kind, value }) => `${kind} ${value}`}
        empty={<p>The contact you bought can no longer be shown: its owner objected.</p>}
        columns={[
          { head: 'Channel', by: ({ kind }) => words[kind] },
          {
            head: 'Contact',
            by: ({ value }) => value,
            cell: ({ kind, value, do_not_contact: barred }) => (
              <>
                <a href={`${schemes[kind]}:${value}`}>{value}</a>
                {barred && <strong> asked not to be contacted</strong>}
              </>
            ),
          },
          { head: 'Source', by: ({ source }) => source, cell: ({ source }) => source ?? '–' },
          { head: 'As of', by: ({ day }) => day, cell: ({ day }) => <Day on={day} /> },
          { head: 'Age', cell: ({ day }) => (day === null ? '–' : dayAge(day)) },
        ]}
      />
    </>
  )
}
