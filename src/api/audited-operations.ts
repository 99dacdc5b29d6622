/**
 * What each operation leaves in the trail. One that changes something and stands in none of these leaves an act under its
 * operationId; one that reads must stand in one of them, or test/security/trail-operations.test.ts fails.
 */
import type { DataClass } from '../trail/data-classes.ts'

/** Operations whose answers show records of persons, by what they show. */
const readings: Readonly<Partial<Record<DataClass, readonly string[]>>> = {
  details: ['getCompanyDetails', 'getGstDetails', 'getDirectorDetails'],
  history: [
    'getCompanyHistory',
    'getGstHistory',
    'getDirectorHistory',
    'getCompanyTrace',
    'getGstTrace',
    'getDirectorTrace',
    'previewIngestRun',
  ],
  filters: ['searchCompanies', 'searchGstRegistrations', 'searchDirectors'],
  feeds: ['listRecentCompanies', 'listRecentDirectors', 'listRecentGstRegistrations'],
  screener: ['searchScreener', 'runScreener'],
  // createLead is an order, too, which writes its act itself.
  leads: [
    'listOrderLeads',
    'createLead',
    'traceOrder',
    'listDeliveries',
    'findDeliveries',
    'planPush',
    'previewMapping',
    'getReceipt',
    'openDeliverySandbox',
    'listEvents',
  ],
  exports: ['exportOrder', 'exportOrders', 'exportDeliveries'],
  rejects: ['listRejects', 'exportRejects'],
  accounts: [
    'listAccounts',
    'findOrders',
    'listPaymentEvents',
    'explainOrder',
    'listDisputes',
    'listAccountKeys',
    'listAccountGrants',
    'getAccount',
    'getAccountUsage',
    'listLedger',
    'listSuppressions',
  ],
  operators: ['listOperators', 'listBlockedAddresses', 'listConsoleSessions'],
  trail: ['listAuditLog'],
}

/** Operations that change nothing and show no person but the caller. */
const nothing: readonly string[] = [
  // The caller's own.
  ...[
    'getProfile',
    'getUsage',
    'getContactRules',
    'getAccess',
    'validateToken',
    'listKeys',
    'listSessions',
    'listOwnAudit',
  ],
  ...['listOrders', 'getOrder', 'listScreeners', 'getScreener', 'listWatchlists', 'getWatchlist', 'listOffers'],
  ...[
    'listCreditEntries',
    'listCreditLots',
    'listCreditPacks',
    'getCreditPurchase',
    'listCreditPurchases',
    'listInvoices',
    'listPlans',
    'listSubscriptions',
    'getInvoicePdf',
    'listDestinations',
    'listDestinationKinds',
    'listWebhooks',
    'getDestination',
    'getMapping',
    'getMails',
    'listCrmOrders',
  ],
  ...['getAppSession', 'getConsoleSession', 'getOverview', 'getStorage'],
  // Nobody's.
  ...['listHsnCodes', 'listSacCodes', 'listNicCodes', 'listScreenerFields', 'explainQuery', 'countFacets'],
  ...['summarizeRecentCompanies', 'summarizeRecentDirectors', 'summarizeRecentGstRegistrations'],
  ...[
    'listIngestRuns',
    'getIngestRun',
    'watchIngestRun',
    'listIngestQuality',
    'listSchedules',
    'listScopes',
    'listJobs',
    'listDeadLetters',
    'checkHealth',
    'checkReadiness',
    'getMetrics',
  ],
  // Anybody may ask, about any address; who comes in by the link stands in the trail.
  'mailSignInLink',
  // The session goes on that its login tells of.
  'refreshToken',
]

export type Declaration =
  | { readonly kind: 'reads'; readonly dataClass: DataClass }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'undeclared' }

const declared: ReadonlyMap<string, Declaration> = new Map<string, Declaration>([
  ...Object.entries(readings).flatMap(([dataClass, operations]) =>
    operations.map((operation) => [operation, { kind: 'reads', dataClass: dataClass as DataClass }] as const),
  ),
  ...nothing.map((operation) => [operation, { kind: 'nothing' }] as const),
])

export const declarationOf = (operation: string): Declaration => declared.get(operation) ?? { kind: 'undeclared' }
export const declaredOperations = (): string[] => [...declared.keys()]
