/**
 * The seller named on invoices, from the environment (PANJI_SELLER_…); issued documents keep the seller of their time.
 */
export interface Seller {
  readonly name: string
  readonly address: string
  /** Fifteen characters; the first two are the seller's state. */
  readonly gstin: string
  /** Services accounting code of what is sold. */
  readonly sac: string
}

/** Other on-line contents n.e.c. */
export const usualSac = '998439'

/** The seller of the sample world, whose payments are not real. */
export const sampleSeller: Seller = {
  name: 'Panji Data (sample)',
  address: 'Altinho, Panaji, Goa 403001',
  gstin: '30AAACP0000A1Z5',
  sac: usualSac,
}
