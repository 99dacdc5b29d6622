/** Money given back through the processor. Under one reference it goes back once, however often the button is pressed. */
import { counted, paise } from '../look/numbers.ts'
import { api, dataOf } from '../wire/api.ts'
import { OperatorAct } from './operator-act.tsx'

const words = {
  asked: 'the processor is asked, and again automatically until it answers.',
  made: 'refunded.',
  refused: 'the processor refused it.',
} as const

const rowsField = {
  ...{ name: 'rows', label: 'Rows', optional: true },
  hint: 'The numbers of the rows that go back with it, such as 0, 3.',
} as const

/** @param sum of the payment, in paise. @param hasRows it paid for an order; credits and plans have none. */
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
          hint: hasRows ? `Empty: what the rows cost, or ${left}.` : `Empty: ${left}.`,
        },
        ...(hasRows ? [rowsField] : []),
        { name: 'reference', label: 'Reference', hint: 'For example the number of the letter. It counts once.' },
        { name: 'reason', label: 'Reason' },
      ]}
      run={async ({ rupees, rows, reference = '', reason = '' }) => {
        const amount = rupees === undefined ? {} : { amount: Math.round(Number(rupees) * 100) }
        const items = rows === undefined ? {} : { items: rows.split(',').map(Number) }
        return dataOf(
          await api.POST('/admin/payments/refund', { body: { of, reference, reason, ...amount, ...items } }),
        )
      }}
      shows={({ status, amount, detail, takes_back: taken }) => (
        <p role="status">
          {paise(amount)}: {words[status]} {detail}{' '}
          {taken === null
            ? 'Everything that it paid for goes with it.'
            : taken.length > 0 && `${counted(taken.length, 'row')} went with it.`}
        </p>
      )}
    >
      <p>
        What was bought with it goes back in proportion, and the buyer gets a credit note.{' '}
        {hasRows &&
          'Of a part of the money the buyer keeps every row that is not named, unless no CRM has got it and no other credits are left.'}
      </p>
    </OperatorAct>
  )
}
