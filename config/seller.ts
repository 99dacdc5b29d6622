/** Who sells, as invoices name it. An operator puts their own here before the first sale; documents keep what stood then. */
export interface Seller {
  readonly name: string
  readonly address: string
  /** Fifteen characters; the first two are the state of the seller. */
  readonly gstin: string
  /** Services accounting code of what is sold. */
  readonly sac: string
}

export const seller: Seller = {
  name: 'Panji Data (sample)',
  address: 'Altinho, Panaji, Goa 403001',
  gstin: '30AAACP0000A1Z5',
  // Other on-line contents n.e.c.
  sac: '998439',
}
