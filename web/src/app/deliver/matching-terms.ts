/** What happens to a new lead that may already be in the CRM: for forms, for the API, and in words. */
import type { components } from '../../../../client/api-types.ts'
import type { FieldShape, Typed } from '../../look/field-shape.ts'

/** Match scores, 1 to 100; null means never. */
type MatchingTerms = Pick<components['schemas']['Destination'], 'adopt_from' | 'ask_from'>

export function matchingInWords({ adopt_from: adopt, ask_from: ask }: MatchingTerms): string {
  if (adopt === null && ask === null) return 'A new lead always becomes a new record'
  const taken = adopt === null ? '' : `one that scores ${adopt} of 100 or more is used`
  const asked = ask === null ? '' : `if one scores ${ask} of 100 or more, the lead waits for your decision`
  return `A new lead is compared with the records already there: ${[taken, asked].filter((each) => each !== '').join('; ')}`
}

export function matchingFields({ adopt_from: adopt, ask_from: ask }: MatchingTerms): readonly FieldShape[] {
  return [
    {
      ...{
        name: 'adopt',
        label: 'Use an existing record from a score of',
        kind: 'number',
        optional: true,
      },
      ...(adopt !== null && { initial: String(adopt) }),
      hint: '1 to 100: an e-mail address counts 80, a telephone 50 or 70, a company name 45, a town 15. Leave empty to use none without a plan.',
    },
    {
      ...{ name: 'ask', label: 'Wait for a decision from a score of', kind: 'number', optional: true },
      ...(ask !== null && { initial: String(ask) }),
      hint: 'Below that, a new record is created. Leave empty to never wait.',
    },
  ]
}

export const matchingOf = ({ adopt, ask }: Typed): MatchingTerms => ({
  adopt_from: adopt === undefined ? null : Number(adopt),
  ask_from: ask === undefined ? null : Number(ask),
})
