/** Options of the commands that connect or change a CRM, which say when and how leads are sent: their help, and what was typed as values. */
import { InvalidArgumentError } from 'commander'
import { batchSizeMax } from '../../deliver/destinations/batch-size.ts'
import { deliverPattern } from '../../deliver/destinations/deliver-when.ts'
import type { DeliveryTerms } from '../../deliver/destinations/delivery-terms.ts'
import { customerShareMax } from '../../deliver/lease/customer-share.ts'

export interface TermOptions {
  readonly deliver?: string
  readonly customerShare?: string
  readonly batchSize?: string
  readonly hours?: string
  readonly pauseAtRejected?: string
  readonly keep?: string
  readonly adoptFrom?: string
  readonly askFrom?: string
}

export const termHelp = {
  deliver: 'automatic, approved (by the hash of a plan), manual, or a time of day in India, HH:MM',
  customerShare: `share of the CRM account's daily calls that is left to other programs, 0 to ${customerShareMax}`,
  batchSize: `most leads of one write, 1 to ${batchSizeMax}; usual: what the CRM takes`,
  hours: 'hours of the day in India in which leads are sent, like 20:00-06:00; all: at any time',
  pauseAtRejected:
    'share of rejected leads, of a hundred or more, at which it is paused and its account told, like 0.05; never: not at all',
  adoptFrom: 'score, 1 to 100, from which on a record that matches a new lead is taken without a plan; never: none',
  askFrom:
    'score from which on a new lead that matches a record waits for a decision, 50 for a new destination; never: it is made new',
  keep: 'fresh: what imports change on delivered records is sent there, too; delivered: they stay as they were bought',
}

export function deliverArgument(text: string): string {
  if (deliverPattern.test(text)) return text
  throw new InvalidArgumentError('It is automatic, approved, manual or a time of day such as 07:30.')
}

/** Whether the others hold is said where they are kept. */
export const termsIn = ({
  deliver,
  customerShare,
  batchSize,
  hours,
  pauseAtRejected,
  keep,
  adoptFrom,
  askFrom,
}: TermOptions): DeliveryTerms => ({
  deliver,
  customerShare: customerShare === undefined ? undefined : Number(customerShare),
  batchSize: chosen(batchSize, 'usual', Number),
  hours: chosen(hours, 'all', (span) => span),
  pauseAtRejected: chosen(pauseAtRejected, 'never', Number),
  keep,
  adoptFrom: chosen(adoptFrom, 'never', Number),
  askFrom: chosen(askFrom, 'never', Number),
})

/** @param none the word that takes a choice back. */
const chosen = <Value>(typed: string | undefined, none: string, read: (text: string) => Value) =>
  typed === undefined ? undefined : typed === none ? null : read(typed)
