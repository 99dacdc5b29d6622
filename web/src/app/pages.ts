/** The app's pages, with their addresses and their place in the navigation. A page's script is loaded on demand. */
import type { NavigationEntry, NavigationGroup, NavigationProps } from '../look/navigation.tsx'
import { pageRoute } from '../look/page-route.tsx'
import { lists, searches } from './tabs.ts'

const groups: readonly NavigationGroup[] = [
  {
    name: 'Pages',
    entries: [
      { href: '/', label: 'Home' },
      { href: '/search', label: 'Search', also: ['/directors', '/record'] },
      { href: '/feeds', label: 'New registrations' },
      { href: '/screeners', label: 'Lists', also: ['/watchlists'] },
      { href: '/standing-orders', label: 'Standing orders' },
      { href: '/orders', label: 'Orders' },
      { href: '/deliveries', label: 'Deliveries' },
      { href: '/destinations', label: 'CRMs' },
    ],
  },
  {
    name: 'Settings',
    isFolded: true,
    entries: [
      { href: '/credits', label: 'Credits', also: ['/purchases'] },
      { href: '/plans', label: 'Plan' },
      { href: '/invoices', label: 'Invoices' },
      { href: '/team', label: 'Team' },
      { href: '/keys', label: 'API keys' },
      { href: '/webhooks', label: 'Webhooks' },
      { href: '/account', label: 'Account' },
      { href: '/audit', label: 'Audit log' },
    ],
  },
]

export const navigation: NavigationProps = { groups, bar: ['/', '/search', '/orders', '/deliveries'] }

/** Pages that the palette finds by name. */
export const entries: readonly NavigationEntry[] = [
  ...groups.flatMap((group) => group.entries).filter(({ href }) => href !== '/screeners'),
  ...searches.slice(1),
  ...lists,
]

export const routes = [
  pageRoute('/', () => import('./home/home.tsx')),
  pageRoute('/search', () => import('./search/search.tsx')),
  pageRoute('/directors', () => import('./search/directors.tsx')),
  pageRoute('/record/:type/:id', () => import('./record/record.tsx')),
  pageRoute('/feeds', () => import('./feeds/feeds.tsx')),
  pageRoute('/orders', () => import('./orders/orders.tsx')),
  pageRoute('/orders/:id', () => import('./orders/order.tsx')),
  pageRoute('/standing-orders', () => import('./standing/standing-orders.tsx')),
  pageRoute('/standing-orders/make', () => import('./standing/make-standing.tsx')),
  pageRoute('/standing-orders/:id', () => import('./standing/standing-order.tsx')),
  pageRoute('/standing-orders/:id/change', () => import('./standing/change-standing.tsx')),
  pageRoute('/deliveries', () => import('./deliver/deliveries.tsx')),
  pageRoute('/orders/:id/deliver', () => import('./deliver/plan.tsx')),
  pageRoute('/destinations/connect', () => import('./deliver/connect.tsx')),
  pageRoute('/destinations/:id', () => import('./deliver/destination.tsx')),
  pageRoute('/destinations/:id/resend', () => import('./deliver/resend.tsx')),
  pageRoute('/destinations/:id/mapping', () => import('./deliver/mapping/mapping.tsx')),
  pageRoute('/destinations', () => import('./deliver/destinations.tsx')),
  pageRoute('/screeners', () => import('./search/screeners.tsx')),
  pageRoute('/watchlists', () => import('./watchlists.tsx')),
  pageRoute('/watchlists/:id', () => import('./watchlist.tsx')),
  pageRoute('/team', () => import('./team/team.tsx')),
  pageRoute('/keys', () => import('./keys.tsx')),
  pageRoute('/keys/:prefix', () => import('./key-requests.tsx')),
  pageRoute('/credits', () => import('./money/credits.tsx')),
  pageRoute('/purchases/:id', () => import('./money/purchase.tsx')),
  pageRoute('/invoices', () => import('./money/invoices.tsx')),
  pageRoute('/plans', () => import('./plans/plans.tsx')),
  pageRoute('/webhooks', () => import('./hear/webhooks.tsx')),
  pageRoute('/account', () => import('./account/account-page.tsx')),
  pageRoute('/audit', () => import('./audit.tsx')),
]
