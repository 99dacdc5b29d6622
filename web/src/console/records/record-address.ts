/** The page of a record, by its identifier: of what kind it is, its characters tell. */
export function recordAddress(typed: string): string {
  const identifier = typed.trim().toUpperCase()
  return `/records/${kindOf(identifier)}/${encodeURIComponent(identifier)}`
}

function kindOf(identifier: string): 'company' | 'director' | 'gst' {
  if (/^\d{1,8}$/.test(identifier)) return 'director'
  return /^\d{2}[A-Z0-9]{13}$/.test(identifier) ? 'gst' : 'company'
}
