/** What a response shows, by where it is shown. */
export const dataClasses = [
  'details',
  'history',
  'filters',
  'feeds',
  'screener',
  'leads',
  'exports',
  'rejects',
  'accounts',
  'operators',
  'destinations',
  'audit',
] as const
export type DataClass = (typeof dataClasses)[number]
