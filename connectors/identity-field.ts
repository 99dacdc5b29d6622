/**
 * Requirements for the CRM's external-id field: a text field that fits the longest external id, as set-up creates it.
 */
import type { CrmField } from './contract.ts'

/** `company:` and the 21 characters of a CIN. */
const longest = 29

/** @returns why the field cannot hold every external id, after an administrator changed it; null if it can. */
export function identityFault({ type, lengthMax }: CrmField, textType: string): string | null {
  if (type !== textType) return `is of the type ${type} now, which holds no identity`
  return lengthMax !== null && lengthMax < longest
    ? `takes ${lengthMax} characters now, and identities have up to ${longest}`
    : null
}
