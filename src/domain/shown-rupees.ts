/** Paise as people read rupees: `₹1,20,000.00`. */
export const shownRupees = (paise: number): string =>
  `₹${(paise / 100).toLocaleString('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`

/** A sum as a payment processor tells it, in hundredths of a currency that may be another's: `20.00 USD`. */
export const shownMoney = ({ amount, currency }: { readonly amount: number; readonly currency: string }): string =>
  currency === 'INR' ? shownRupees(amount) : `${(amount / 100).toFixed(2)} ${currency}`
