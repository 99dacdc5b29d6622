/** What the return GSTR-1 asks beside the documents themselves. Data, not code. */

/** Above so many paise an invoice to an unregistered buyer of another state is listed one by one (B2CL); up to it in a sum (B2CS). */
export const listedAbovePaise = 1_00_000_00
