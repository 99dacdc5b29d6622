/** The page of a record by its identifier, whose format shows its register. */
export function recordAddress(typed: string): string {
  const identifier = typed.trim().toUpperCase()
  return `/records/${kindOf(identifier)}/${encodeURIComponent(identifier)}`
}

/** Could be a whole CIN, LLPIN, DIN or GSTIN. */
export const isIdentifier = (typed: string): boolean =>
  /^([LU]\d{5}[A-Z]{2}\d{4}[A-Z]{3}\d{6}|[A-Z]{3}-?\d{4}|F\d{5}|F[A-Z]{3}-?\d{4}|\d{5,8}|\d{2}[A-Z\d]{13})$/i.test(
    typed.trim(),
  )

function kindOf(identifier: string): 'company' | 'director' | 'gst' {
  if (/^\d{1,8}$/.test(identifier)) return 'director'
  return /^\d{2}[A-Z0-9]{13}$/.test(identifier) ? 'gst' : 'company'
}
