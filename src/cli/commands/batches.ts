/** `--batch-size`, `--hours` and `--pause-at-rejected` of the commands that connect or change a CRM: their help, and what was typed as values. */
import { batchSizeMax } from '../../deliver/destinations/batch-size.ts'

export const batchSizeHelp = `most leads of one write, 1 to ${batchSizeMax}; usual: what the CRM takes`
export const hoursHelp = 'hours of the day in India in which leads are sent, like 20:00-06:00; all: at any time'

export const pauseHelp =
  'share of rejected leads, of a hundred or more, at which it is paused and its account told, like 0.05; never: not at all'

export const batchSizeIn = ({ batchSize }: { readonly batchSize?: string }): number | null | undefined =>
  batchSize === undefined || batchSize === 'usual' ? asNull(batchSize) : Number(batchSize)

export const hoursIn = ({ hours }: { readonly hours?: string }): string | null | undefined =>
  hours === undefined || hours === 'all' ? asNull(hours) : hours

export const pauseShareIn = (options: { readonly pauseAtRejected?: string }): number | null | undefined =>
  options.pauseAtRejected === undefined || options.pauseAtRejected === 'never'
    ? asNull(options.pauseAtRejected)
    : Number(options.pauseAtRejected)

/** The word that takes a choice back. */
const asNull = (word: string | undefined): null | undefined => (word === undefined ? undefined : null)
