/** Options of the commands that connect or change a CRM, which say when and how leads are sent. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { batchSizeMax } from '../../deliver/destinations/batch-size.ts'
import { deliverPattern } from '../../deliver/destinations/deliver-when.ts'
import { isSpan } from '../../deliver/destinations/delivery-hours.ts'
import type { DeliveryTerms } from '../../deliver/destinations/delivery-terms.ts'
import { keeps } from '../../deliver/destinations/keep.ts'
import { pauseShareMin } from '../../deliver/destinations/pause-at-rejected.ts'
import { thresholdMax } from '../../deliver/destinations/thresholds.ts'
import { customerShareMax, usualCustomerShare } from '../../deliver/lease/customer-share.ts'
import { orNone, share, wholeNumber } from './number-arguments.ts'

/** @param isNew what is usual is told, too. */
export function withTerms(command: Command, isNew: boolean): Command {
  const unless = (usual: string | number) => (isNew ? `; ${usual} unless said` : '')
  const score = orNone('never', wholeNumber(1, thresholdMax))
  return command
    .option('--deliver <when>', `${deliverHelp}${unless('automatic')}`, deliverArgument)
    .option(
      '--customer-share <share>',
      `share of the CRM account's daily calls that is left to other programs, 0 to ${customerShareMax}${unless(usualCustomerShare)}`,
      share(0, customerShareMax),
    )
    .option(
      '--batch-size <leads>',
      `most leads of one write, 1 to ${batchSizeMax}; usual: what the CRM takes`,
      orNone('usual', wholeNumber(1, batchSizeMax)),
    )
    .option(
      '--hours <from-to>',
      'hours of the day in India in which leads are sent, like 20:00-06:00; all: at any time',
      orNone('all', hoursArgument),
    )
    .option(
      '--pause-at-rejected <share>',
      'share of rejected leads, of a hundred or more, at which it is paused and its account told, like 0.05; never: not at all',
      orNone('never', share(pauseShareMin, 1)),
    )
    .addOption(
      new Option(
        '--keep <what>',
        'fresh: what imports change on delivered records is sent there, too; delivered: they stay as they were bought',
      ).choices([...keeps]),
    )
    .option(
      '--adopt-from <score>',
      'score, 1 to 100, from which on a record that matches a new lead is taken without a plan; never: none',
      score,
    )
    .option(
      '--ask-from <score>',
      'score from which on a new lead that matches a record waits for a decision, 50 for a new destination; never: it is made new',
      score,
    )
}

const deliverHelp = 'automatic, approved (by the hash of a plan), manual, or a time of day in India, HH:MM'

export function deliverArgument(text: string): string {
  if (deliverPattern.test(text)) return text
  throw new InvalidArgumentError('It is automatic, approved, manual or a time of day such as 07:30.')
}

function hoursArgument(text: string): string {
  if (isSpan(text)) return text
  throw new InvalidArgumentError('it is a span such as 20:00-06:00.')
}

/** Out of all options that were typed. */
export const termsIn = ({
  deliver,
  customerShare,
  batchSize,
  hours,
  pauseAtRejected,
  keep,
  adoptFrom,
  askFrom,
}: DeliveryTerms): DeliveryTerms => ({
  deliver,
  customerShare,
  batchSize,
  hours,
  pauseAtRejected,
  keep,
  adoptFrom,
  askFrom,
})
