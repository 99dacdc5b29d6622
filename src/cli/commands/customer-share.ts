/** `--customer-share` of the commands that connect or change a CRM: its help, and what was typed as a number. */
import { customerShareMax } from '../../deliver/lease/customer-share.ts'

export const shareHelp = `share of the CRM account's daily calls that is left to other programs, 0 to ${customerShareMax}`

/** Whether it is one that holds, is said where it is kept. */
export const shareIn = ({ customerShare }: { readonly customerShare?: string }): number | undefined =>
  customerShare === undefined ? undefined : Number(customerShare)
