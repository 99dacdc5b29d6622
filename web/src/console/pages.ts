/** The console's pages, with their addresses and their place in the navigation. A page's script is loaded on demand. */
import type { NavigationGroup, NavigationProps } from '../look/navigation.tsx'
import { pageRoute } from '../look/page-route.tsx'
import type { OperatorSession } from '../wire/session.ts'

/** The only pages that an accountant reads. */
const money: NavigationGroup = {
  name: 'Money',
  entries: [
    { href: '/invoices', label: 'Invoices' },
    { href: '/month', label: 'Month' },
    { href: '/ledger', label: 'Ledger' },
    { href: '/payments', label: 'Payments' },
  ],
}

const groups: readonly NavigationGroup[] = [
  {
    name: 'Pages',
    entries: [
      { href: '/', label: 'Health' },
      { href: '/runs', label: 'Imports' },
      { href: '/records', label: 'Records' },
      { href: '/accounts', label: 'Accounts' },
      { href: '/orders', label: 'Orders' },
      { href: '/standing-orders', label: 'Standing orders' },
      { href: '/deliveries', label: 'Deliveries' },
      { href: '/reports', label: 'Reports' },
    ],
  },
  {
    name: 'Sources',
    isFolded: true,
    entries: [
      { href: '/sources', label: 'Sources' },
      { href: '/import', label: 'Import a file' },
      { href: '/schedules', label: 'Schedules' },
      { href: '/jobs', label: 'Jobs' },
    ],
  },
  { ...money, isFolded: true },
  {
    name: 'Settings',
    isFolded: true,
    entries: [
      { href: '/audit', label: 'Audit log' },
      { href: '/suppressions', label: 'Suppressions' },
      { href: '/addresses', label: 'Blocked addresses' },
      { href: '/operators', label: 'Operators' },
      { href: '/backup', label: 'Backup' },
      { href: '/notifications', label: 'Notifications' },
    ],
  },
]

/** The pages that a role may read; the first is its home page. */
export const navigationOf = (role: OperatorSession['role']): NavigationProps =>
  role === 'accountant'
    ? { groups: [money], bar: money.entries.map(({ href }) => href) }
    : { groups, bar: ['/', '/runs', '/accounts', '/orders'] }

/** The server refuses accountants everything else, but a link may still lead there. */
export const isOffered = (role: OperatorSession['role'], location: string): boolean =>
  role !== 'accountant' || money.entries.some(({ href }) => location === href || location.startsWith(`${href}/`))

export const routes = [
  pageRoute('/', () => import('./health.tsx')),
  pageRoute('/sources', () => import('./runs/sources.tsx')),
  pageRoute('/sources/:source', () => import('./runs/source.tsx')),
  pageRoute('/runs', () => import('./runs/runs.tsx')),
  pageRoute('/runs/:id', () => import('./runs/run.tsx')),
  pageRoute('/runs/:id/rejects', () => import('./rejects/rejects.tsx')),
  pageRoute('/import', () => import('./runs/import-file.tsx')),
  pageRoute('/records', () => import('./records/records.tsx')),
  pageRoute('/records/:entity/:identifier', () => import('./records/record.tsx')),
  pageRoute('/schedules', () => import('./schedules.tsx')),
  pageRoute('/jobs', () => import('./jobs.tsx')),
  pageRoute('/accounts', () => import('./accounts/accounts.tsx')),
  pageRoute('/accounts/:id', () => import('./accounts/account.tsx')),
  pageRoute('/orders', () => import('./orders/orders.tsx')),
  pageRoute('/orders/:id', () => import('./orders/order.tsx')),
  pageRoute('/standing-orders', () => import('./standing-orders.tsx')),
  pageRoute('/invoices', () => import('./invoices/invoices.tsx')),
  pageRoute('/invoices/:number', () => import('./invoices/invoice.tsx')),
  pageRoute('/payments', () => import('./payments.tsx')),
  pageRoute('/deliveries', () => import('./deliveries.tsx')),
  pageRoute('/reports', () => import('./orders/disputes.tsx')),
  pageRoute('/ledger', () => import('./ledger.tsx')),
  pageRoute('/month', () => import('./month.tsx')),
  pageRoute('/audit', () => import('./audit.tsx')),
  pageRoute('/suppressions', () => import('./suppressions.tsx')),
  pageRoute('/addresses', () => import('./addresses.tsx')),
  pageRoute('/operators', () => import('./operators.tsx')),
  pageRoute('/backup', () => import('./backup.tsx')),
  pageRoute('/notifications', () => import('./notifications.tsx')),
]
