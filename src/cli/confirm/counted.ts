/** `1 run`, `2 runs`, `1,20,000 records`. */
export const counted = (number: number, noun: string): string =>
  `${number.toLocaleString('en-IN')} ${noun}${number === 1 ? '' : 's'}`

/** Paise as rupees. */
export const rupees = (paise: number): string =>
  `₹${(paise / 100).toLocaleString('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
