/** Paise formatted as rupees: `₹1,20,000.00`. */
export const shownRupees = (paise: number): string =>
  `₹${(paise / 100).toLocaleString('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`

/** An amount in hundredths of any currency, as payment processors report it: `20.00 USD`. */
export const shownMoney = ({ amount, currency }: { readonly amount: number; readonly currency: string }): string =>
  currency === 'INR' ? shownRupees(amount) : `${(amount / 100).toFixed(2)} ${currency}`
