/** The trace of one item: the published file, its contacts, its cost, and its deliveries. */

import { Link } from 'wouter'
import type { components } from '../../../../client/api-types.ts'
import { Badge } from '../../look/badge.tsx'
import { outcomes, outcomeTones } from '../../look/delivery.tsx'
import { Detail } from '../../look/detail.tsx'
import { Day, Moment } from '../../look/moment.tsx'
import { count, counted } from '../../look/numbers.ts'
import { Reading } from '../../look/reading.tsx'
import { Tip } from '../../look/tip.tsx'
import { api } from '../../wire/api.ts'
import { useRead } from '../../wire/use-read.ts'
import { FileOf } from '../record/file-of.tsx'

type TracedItem = components['schemas']['TracedItem']

const entryWords = {
  spend: 'spent',
  hold: 'set aside until its lead was built',
  settle: 'spent for good: somebody can be reached',
  release: 'released',
  refund: 'refunded',
} as const satisfies Record<TracedItem['entries'][number]['kind'], string>

export function Trace(props: { readonly orderId: string; readonly index: number; readonly close: () => void }) {
  const { orderId, index, close } = props
  const trace = useRead(['orders', 'trace', orderId], () =>
    api.GET('/api/orders/{id}/trace', { params: { path: { id: orderId } } }),
  )
  return (
    <Reading of={trace} what="where it came from">
      {({ data }) => {
        const item = data.find((each) => each.index === index)
        return item ? <Steps of={item} orderId={orderId} close={close} /> : <p>The order has no such record.</p>
      }}
    </Reading>
  )
}

function Steps(props: { readonly of: TracedItem; readonly orderId: string; readonly close: () => void }) {
  const { of: item, orderId, close } = props
  const { name, snapshot, lead, contacts, entries, deliveries } = item
  return (
    <Detail title={`Where ${name} came from`} close={close}>
      <ol className="timeline">
        <li>
          <strong>Published.</strong> {snapshot ? <Snapshot of={snapshot} /> : 'Shown once its lead is built.'}
        </li>
        <li>
          <strong>Contacts.</strong>{' '}
          {contacts.length === 0 ? 'None known.' : `${counted(contacts.length, 'contact')} in its lead.`}
          <ul>
            {contacts.map(({ kind, source, file, day, do_not_contact: not, preferences }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a contact is identified by its position in the lead.
              <li key={place}>
                {kind}, from {source ?? 'the register'}
                {file && <>, file {file}</>}, <Day on={day} />
                {not && (
                  <>
                    {' '}
                    <Badge tone="bad">asked not to be contacted</Badge>
                  </>
                )}
                {preferences.map(({ preference, list }) => `; ${preference} (${list})`)}
              </li>
            ))}
          </ul>
        </li>
        <li>
          <strong>Lead.</strong>{' '}
          {lead ? (
            <>
              Built <Moment at={lead.built_at} />,{' '}
              <Tip of={<code>sha256 {lead.sha256.slice(0, 12)}…</code>} name="SHA-256 of the lead">
                <code>{lead.sha256}</code>
              </Tip>
            </>
          ) : (
            'Not built yet.'
          )}
        </li>
        <li>
          <strong>Cost.</strong> {entries.length === 0 && 'Nothing was charged for it.'}
          <ul>
            {entries.map(({ entry_id, at, kind, amount }) => (
              <li key={entry_id}>
                {amount === 0 ? '' : `${counted(Math.abs(amount), 'credit')} `}
                {entryWords[kind]}, <Moment at={at} />
              </li>
            ))}
          </ul>
        </li>
        <li>
          <strong>Delivered.</strong> {deliveries.length === 0 && 'It went into no CRM yet.'}
          <ul>
            {deliveries.map(({ delivery_id, destination_id, outcome, crm_id, at }) => (
              <li key={delivery_id}>
                <Outcome of={outcome} /> {crm_id && <code>{crm_id}</code>} <Moment at={at} />,{' '}
                <Link href={`/deliveries?order=${orderId}&destination=${destination_id}`}>CRM response</Link>
              </li>
            ))}
          </ul>
        </li>
      </ol>
    </Detail>
  )
}

function Snapshot({ of }: { readonly of: NonNullable<TracedItem['snapshot']> }) {
  const { source, name, sha256, day, line, run_id } = of
  return (
    <>
      In <FileOf name={name} sha256={sha256} /> of {source}, <Day on={day} />
      {line !== null && `, line ${count(line)}`}, imported by run {run_id}.
    </>
  )
}

function Outcome({ of: outcome }: { readonly of: string }) {
  const known = outcomes.find((each) => each === outcome)
  return <Badge tone={known ? outcomeTones[known] : 'plain'}>{outcome}</Badge>
}
