/** Money given back through the processor. Under one reference it goes back once, however often the button is pressed. */
import { paise } from '../look/numbers.ts'
import { api, dataOf } from '../wire/api.ts'
import { OperatorAct } from './operator-act.tsx'

const words = {
  asked: 'The processor is asked; until it answers, it is asked again by itself.',
  made: 'It went back.',
  refused: 'The processor refused it.',
} as const

/** @param of a payment of the processor, or what was paid with it. @param sum of the payment, in paise. */
export function RefundPayment({ of, sum }: { readonly of: string; readonly sum: number | null }) {
  return (
    <OperatorAct
      label="Give back"
      title={`Give money of ${of} back?`}
      tone="danger"
      fields={[
        {
          ...{ name: 'rupees', label: 'Rupees', kind: 'decimal', optional: true },
          hint: `Empty: all that is left of it${sum === null ? '' : `, ${paise(sum)} at most`}.`,
        },
        { name: 'reference', label: 'Reference', hint: 'For example the number of the letter. It counts once.' },
        { name: 'reason', label: 'Reason' },
      ]}
      run={async ({ rupees, reference = '', reason = '' }) => {
        const amount = rupees === undefined ? {} : { amount: Math.round(Number(rupees) * 100) }
        return dataOf(await api.POST('/admin/payments/refund', { body: { of, reference, reason, ...amount } }))
      }}
      shows={({ status, amount, detail }) => (
        <p role="status">
          {paise(amount)}. {words[status]} {detail}
        </p>
      )}
    >
      <p>What was bought with it goes back in proportion, and the buyer gets a credit note.</p>
    </OperatorAct>
  )
}
