/** The columns of a rejected lead to fix: those that CRMs reject most come first, the others are folded away. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Field } from '../../look/field.tsx'
import type { Typed } from '../../look/field-shape.ts'
import { Mistyped } from '../../look/mistyped.ts'
import { Reading } from '../../look/reading.tsx'
import { api, dataOf } from '../../wire/api.ts'
import { queries } from '../../wire/queries.ts'

interface Delivered {
  readonly order_id: string
  /** `gst:GSTIN`, `company:CIN`, `director:DIN`. */
  readonly record: string
}

type Lead = Readonly<Record<string, string | number | null>>

const identifiers: Readonly<Record<string, string>> = { gst: 'GSTIN', company: 'CIN', director: 'DIN' }
const often = ['First_Name', 'Last_Name', 'Company', 'Email', 'Mobile', 'Phone', 'Street', 'City', 'State', 'Zip_Code']

/** The row of the order. Identifiers cannot be changed. */
const rowOf = ({ order_id, record }: Delivered) =>
  queryOptions({
    queryKey: ['fix', order_id, record],
    queryFn: async (): Promise<Lead> => {
      const params = { path: { order_id }, query: { format: 'flat' } } as const
      const { leads } = dataOf(await api.GET('/api/crm/orders/{order_id}/leads', { params }))
      const [kind = '', number] = record.split(':')
      const found = (leads as Lead[]).find((lead) => lead[identifiers[kind] ?? ''] === number)
      return found ?? {}
    },
  })

export function FixFields({ of: delivery }: { readonly of: Delivered }) {
  const lead = useQuery(rowOf(delivery))
  return (
    <Reading of={lead} what="the row">
      {(row) => {
        const names = Object.keys(row).filter((name) => !Object.values(identifiers).includes(name))
        return (
          <>
            {names
              .filter((name) => often.includes(name))
              .map((name) => (
                <Cell key={name} name={name} of={row} />
              ))}
            <details>
              <summary>Its other columns</summary>
              {names
                .filter((name) => !often.includes(name))
                .map((name) => (
                  <Cell key={name} name={name} of={row} />
                ))}
            </details>
          </>
        )
      }}
    </Reading>
  )
}

function Cell({ name, of: row }: { readonly name: string; readonly of: Lead }) {
  const initial = String(row[name] ?? '')
  return <Field name={name} label={name.replaceAll('_', ' ')} initial={initial} optional />
}

/**
 * The columns of the row that was shown whose text was changed; an emptied one is null.
 * @throws Mistyped before it is shown: all of its columns would count as emptied.
 */
export function fixedOf(delivery: Delivered, typed: Typed): Record<string, string | null> {
  const row = queries.getQueryData(rowOf(delivery).queryKey)
  if (row === undefined) throw new Mistyped('The row is not shown yet, so nothing was changed. Wait for its fields.')
  const changed = Object.keys(row).filter(
    (name) => !Object.values(identifiers).includes(name) && (typed[name] ?? '') !== String(row[name] ?? '').trim(),
  )
  return Object.fromEntries(changed.map((name) => [name, typed[name] ?? null]))
}
