/** What the CRM's field of the identity has to be: a text that holds the longest identity of a registry, as set-up made it. */
import type { CrmField } from './contract.ts'

/** `company:` and the 21 characters of a CIN. */
const longest = 29

/** @returns what keeps the field from holding every identity, as an administrator changed it; null where nothing does. */
export function identityFault({ type, lengthMax }: CrmField, textType: string): string | null {
  if (type !== textType) return `is of the type ${type} now, which holds no identity`
  return lengthMax !== null && lengthMax < longest
    ? `takes ${lengthMax} characters now, and identities have up to ${longest}`
    : null
}
