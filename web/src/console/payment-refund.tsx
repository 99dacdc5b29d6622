/** Refunds through the payment processor. A reference refunds once, however often the button is pressed. */
import { Mistyped } from '../look/mistyped.ts'
import { counted, paise } from '../look/numbers.ts'
import { api } from '../wire/api.ts'
import { useRead } from '../wire/use-read.ts'
import { OperatorAct } from './operator-act.tsx'

const words = {
  asked: 'requested from the processor, and retried automatically until it answers.',
  made: 'refunded.',
  refused: 'the processor refused it.',
} as const

const rowsField = {
  ...{ name: 'rows', label: 'Rows', optional: true },
  hint: 'Row numbers from the order’s page, such as 0, 3: these rows are withdrawn with it.',
} as const

/** @param sum of the payment, in paise. @param hasRows whether it paid for an order; credits and plans have no rows. */
export function RefundPayment(props: { readonly of: string; readonly sum: number | null; readonly hasRows: boolean }) {
  const { of, sum, hasRows } = props
  const left = `all that is left of ${sum === null ? 'it' : paise(sum)}`
  return (
    <OperatorAct
      label="Refund"
      title={`Refund ${of}?`}
      tone="danger"
      fields={[
        {
          ...{ name: 'rupees', label: 'Rupees', kind: 'decimal', optional: true },
          hint: hasRows ? `Leave empty for what the rows cost, or ${left}.` : `Leave empty for ${left}.`,
        },
        ...(hasRows ? [rowsField] : []),
        {
          name: 'reference',
          label: 'Reference',
          hint: 'For example the number of a letter. Each reference refunds once.',
        },
        { name: 'reason', label: 'Reason' },
      ]}
      calls={({ rupees, rows, reference = '', reason = '' }) => {
        const amount = rupees === undefined ? {} : { amount: Math.round(Number(rupees) * 100) }
        const items = rows === undefined ? {} : { items: rowsIn(rows) }
        return api.POST('/admin/payments/refund', { body: { of, reference, reason, ...amount, ...items } })
      }}
      shows={({ status, amount, detail, takes_back: taken }) => (
        <p role="status">
          {paise(amount)}: {words[status]} {detail}{' '}
          {taken === null
            ? 'Everything that it paid for is withdrawn.'
            : taken.length > 0 && `${counted(taken.length, 'row')} withdrawn.`}
        </p>
      )}
    >
      <WentBack of={of} sum={sum} />
      <p>
        What was bought with it is withdrawn in proportion, and the buyer gets a credit note.{' '}
        {hasRows &&
          'In a partial refund the buyer keeps every row that is not named, except rows that no CRM has received when no other credits are left.'}
      </p>
    </OperatorAct>
  )
}

function rowsIn(typed: string): number[] {
  if (!/^\s*\d+(\s*,\s*\d+)*\s*$/.test(typed))
    throw new Mistyped('“Rows” must be numbers separated by commas, such as 0, 3.')
  return typed.split(',').map(Number)
}

/** For a payment that was refunded in part: nobody should calculate from its full amount. */
function WentBack({ of, sum }: { readonly of: string; readonly sum: number | null }) {
  const notices = useRead(['payments', 'of', of], () =>
    api.GET('/admin/payments', { params: { query: { search: of, limit: 100 } } }),
  )
  const back = (notices.data?.data ?? []).reduce(
    (all, { outcome, amount }) => all + (outcome === 'repaid' ? (amount ?? 0) : 0),
    0,
  )
  if (sum === null || back === 0) return null
  return (
    <p>
      {paise(back)} of {paise(sum)} was refunded before; {paise(sum - back)} is left.
    </p>
  )
}
