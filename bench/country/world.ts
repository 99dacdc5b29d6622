/** The sizes of a world of registers, and the order in which its files are written and loaded: the largest last. */
export interface World {
  /** Names its database and its files. */
  readonly name: string
  readonly companies: number
  readonly gst: number
  readonly directors: number
}

/** India's companies with LLPs, GST registrations and directors; boards have some 2.5 seats per company. */
const country = { companies: 3_700_000, gst: 18_000_000, directors: 7_000_000 } as const

export const registers = ['mca-companies', 'mca-directors', 'mca-directorships', 'gst-taxpayers'] as const
export type Register = (typeof registers)[number]

export const countryOf = (share: number): World => ({ name: 'panji', ...sizesOf(share) })

/**
 * The world that reads are compared with: its largest register has a million records, or as many as the country if that
 * has fewer.
 */
export const millionOf = (share: number): World => ({
  name: 'million',
  ...sizesOf(Math.min(share, 1_000_000 / country.gst)),
})

const sizesOf = (share: number) => ({
  companies: Math.round(country.companies * share),
  gst: Math.round(country.gst * share),
  directors: Math.round(country.directors * share),
})
