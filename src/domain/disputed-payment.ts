/** Begins the reason of a suspension by a disputed payment. The end of the dispute lifts it, unless an operator suspended the account, too. */
export const disputedPayment = 'a payment is disputed: '
