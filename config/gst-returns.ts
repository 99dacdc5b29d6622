/** What the return GSTR-1 needs besides the documents themselves. Data, not code. */

/**
 * Invoices to unregistered buyers of another state are listed individually above this amount (B2CL), and summed up to
 * it (B2CS).
 */
export const listedAbovePaise = 1_00_000_00
