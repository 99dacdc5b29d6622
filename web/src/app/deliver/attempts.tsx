/** The requests sent for one delivery in the last thirty days, the CRM's responses, and each field before and after. */
import { Badge, type Tone } from '../../look/badge.tsx'
import { DataTable } from '../../look/data-table.tsx'
import { Detail } from '../../look/detail.tsx'
import { Moment } from '../../look/moment.tsx'
import { Reading } from '../../look/reading.tsx'
import { api } from '../../wire/api.ts'
import { useRead } from '../../wire/use-read.ts'

export function Attempts({ of: deliveryId, close }: { readonly of: string; readonly close: () => void }) {
  const params = { path: { delivery_id: deliveryId } }
  const attempts = useRead(['deliveries', 'attempts', deliveryId], () =>
    api.GET('/api/crm/deliveries/{delivery_id}/attempts', { params }),
  )
  return (
    <Detail title="What was sent" close={close}>
      <Reading of={attempts} what="what was sent">
        {({ data }) =>
          data.length === 0 ? (
            <p>Nothing was sent for this record in the last thirty days.</p>
          ) : (
            data.map((attempt) => (
              <section key={attempt.at} aria-label={`Attempt of ${attempt.at}`}>
                <p>
                  <Badge tone={tones[attempt.status]}>{attempt.status}</Badge> <Moment at={attempt.at} />
                  {attempt.code !== null && ` ${attempt.code}`}
                  {attempt.field !== null && ` ${attempt.field}`}
                  {attempt.message !== null && `: ${attempt.message}`}
                </p>
                <DataTable
                  caption="Fields"
                  rows={attempt.fields}
                  keyOf={({ field }) => field}
                  empty={<p>No field was sent.</p>}
                  columns={[
                    { head: 'Field', by: ({ field }) => field, cell: ({ field }) => <code>{field}</code> },
                    { head: 'Before', by: ({ before }) => textOf(before) },
                    { head: 'Sent', by: ({ sent }) => textOf(sent) },
                    { head: 'After', by: ({ after }) => textOf(after) },
                  ]}
                />
              </section>
            ))
          )
        }
      </Reading>
    </Detail>
  )
}

const tones = {
  created: 'good',
  updated: 'good',
  unchanged: 'plain',
  rejected: 'bad',
  deferred: 'warn',
  unknown: 'warn',
} as const satisfies Record<string, Tone>

const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value))
