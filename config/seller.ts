/** Who sells, as invoices name it: of the environment (PANJI_SELLER_…); documents keep what stood then. */
export interface Seller {
  readonly name: string
  readonly address: string
  /** Fifteen characters; the first two are the state of the seller. */
  readonly gstin: string
  /** Services accounting code of what is sold. */
  readonly sac: string
}

/** Other on-line contents n.e.c. */
export const usualSac = '998439'

/** The seller of the sample world, whose payments are none. */
export const sampleSeller: Seller = {
  name: 'Panji Data (sample)',
  address: 'Altinho, Panaji, Goa 403001',
  gstin: '30AAACP0000A1Z5',
  sac: usualSac,
}
