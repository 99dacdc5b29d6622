/** Options of the commands that connect or change a CRM, for when and how leads are sent. */
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

/** @param isNew also shows the defaults. */
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
      `maximum leads per write, 1 to ${batchSizeMax}; usual: what the CRM accepts`,
      orNone('usual', wholeNumber(1, batchSizeMax)),
    )
    .option(
      '--hours <from-to>',
      'hours of the day in India in which leads are sent, such as 20:00-06:00; all: any time',
      orNone('all', hoursArgument),
    )
    .option(
      '--pause-at-rejected <share>',
      'share of rejected leads, among a hundred or more, at which it is paused and its account notified, such as 0.05; never: not at all',
      orNone('never', share(pauseShareMin, 1)),
    )
    .addOption(
      new Option(
        '--keep <what>',
        'fresh: changes that imports bring to delivered records are sent too; delivered: records stay as bought',
      ).choices([...keeps]),
    )
    .option(
      '--adopt-from <score>',
      'match score, 1 to 100, from which an existing record is adopted for a new lead without a plan; never: none',
      score,
    )
    .option(
      '--ask-from <score>',
      'match score from which a new lead that resembles an existing record waits for a decision, 50 for a new destination; never: a new record is created',
      score,
    )
}

const deliverHelp = 'automatic, approved (by the hash of a plan), manual, or a time of day in India, HH:MM'

export function deliverArgument(text: string): string {
  if (deliverPattern.test(text)) return text
  throw new InvalidArgumentError('It must be automatic, approved, manual or a time of day such as 07:30.')
}

function hoursArgument(text: string): string {
  if (isSpan(text)) return text
  throw new InvalidArgumentError('It must be a time span such as 20:00-06:00.')
}

/** Picks the delivery terms from all options of the command. */
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
