/** The chapters of the OpenAPI document, and the paths whose operations stand in each. */
export const tags = [
  { name: 'Authentication', paths: ['/api/auth'], description: 'From API key to access token.' },
  { name: 'Account', paths: ['/api'], description: 'Who you are and what you may do.' },
  {
    name: 'Details',
    paths: ['/api/company', '/api/gst'],
    description: 'One company, director or GST registration. The three share one daily limit.',
  },
  {
    name: 'Screener',
    paths: ['/api/screener'],
    description: 'Search with a query language, and save queries to run them again.',
  },
  {
    name: 'Filters',
    paths: ['/api/company/company-filter', '/api/company/director-filter', '/api/gst/gst-filter'],
    description: 'Lists by attribute; a record must match every parameter.',
  },
  {
    name: 'Feeds',
    paths: ['/api/recently-registered'],
    description: 'Recently registered records within your entitlement.',
  },
  { name: 'Orders', paths: ['/api/orders'], description: 'Records bought with credits, and their export.' },
  {
    name: 'Standing orders',
    paths: ['/api/standing-orders'],
    description: 'Queries that buy what each import brings, within a budget.',
  },
  { name: 'CRM', paths: ['/api/crm'], description: 'The leads of an order, ready for import.' },
  { name: 'Events', paths: [], description: 'What your webhooks receive, and when.' },
  {
    name: 'Watchlists',
    paths: ['/api/watchlist'],
    description: 'Your own lists of companies, directors or GST registrations.',
  },
  { name: 'Reference', paths: ['/api/reference'], description: 'HSN, SAC and NIC codes.' },
  {
    name: 'Console sessions',
    paths: ['/console', '/app'],
    description: 'Signing in with a browser: operators at the console, accounts at the app.',
  },
  { name: 'Operations', paths: ['/'], description: 'Health, and the operator endpoints under /admin.' },
] as const

/** The chapter of the longest of these paths that leads to the operation. */
export function tagOf(operationPath: string): string {
  const leading = tags
    .flatMap(({ name, paths }) => paths.map((path) => ({ name, path })))
    .filter(({ path }) => operationPath.startsWith(path))
  return leading.reduce((best, each) => (each.path.length > best.path.length ? each : best)).name
}
