/** `--batch-size` and `--hours` of the commands that connect or change a CRM: their help, and what was typed as values. */
import { batchSizeMax } from '../../deliver/destinations/batch-size.ts'

export const batchSizeHelp = `most leads of one write, 1 to ${batchSizeMax}; usual: what the CRM takes`
export const hoursHelp = 'hours of the day in India in which leads are sent, like 20:00-06:00; all: at any time'

export const batchSizeIn = ({ batchSize }: { readonly batchSize?: string }): number | null | undefined =>
  batchSize === undefined || batchSize === 'usual' ? asNull(batchSize) : Number(batchSize)

export const hoursIn = ({ hours }: { readonly hours?: string }): string | null | undefined =>
  hours === undefined || hours === 'all' ? asNull(hours) : hours

/** The word that takes a choice back. */
const asNull = (word: string | undefined): null | undefined => (word === undefined ? undefined : null)
