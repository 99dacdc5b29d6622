/** Paise as people read rupees: `₹1,20,000.00`. */
export const shownRupees = (paise: number): string =>
  `₹${(paise / 100).toLocaleString('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
