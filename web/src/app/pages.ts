/** The account's pages: where each lies, and what leads to it. A page's script is fetched when somebody goes there. */
import type { NavigationEntry } from '../look/layout.tsx'
import { pageRoute } from '../look/page-route.tsx'

export const navigation: readonly NavigationEntry[] = [
  { href: '/', label: 'Overview' },
  { href: '/search', label: 'Search' },
  { href: '/feeds', label: 'New registrations' },
  { href: '/orders', label: 'Orders' },
  { href: '/deliveries', label: 'Deliveries' },
  { href: '/destinations', label: 'CRMs' },
  { href: '/screeners', label: 'Saved screeners' },
  { href: '/watchlists', label: 'Watchlists' },
  { href: '/credits', label: 'Credits' },
  { href: '/plans', label: 'Plan' },
  { href: '/invoices', label: 'Invoices' },
  { href: '/keys', label: 'API keys' },
  { href: '/audit', label: 'Trail' },
]

export const routes = [
  pageRoute('/', () => import('./overview.tsx')),
  pageRoute('/search', () => import('./search/search.tsx')),
  pageRoute('/record/:type/:id', () => import('./record/record.tsx')),
  pageRoute('/feeds', () => import('./feeds/feeds.tsx')),
  pageRoute('/orders', () => import('./orders/orders.tsx')),
  pageRoute('/orders/:id', () => import('./orders/order.tsx')),
  pageRoute('/deliveries', () => import('./deliver/deliveries.tsx')),
  pageRoute('/destinations', () => import('./deliver/destinations.tsx')),
  pageRoute('/screeners', () => import('./search/screeners.tsx')),
  pageRoute('/watchlists', () => import('./watchlists.tsx')),
  pageRoute('/watchlists/:id', () => import('./watchlist.tsx')),
  pageRoute('/keys', () => import('./keys.tsx')),
  pageRoute('/credits', () => import('./money/credits.tsx')),
  pageRoute('/purchases/:id', () => import('./money/purchase.tsx')),
  pageRoute('/invoices', () => import('./money/invoices.tsx')),
  pageRoute('/plans', () => import('./plans/plans.tsx')),
  pageRoute('/audit', () => import('./audit.tsx')),
]
