/** Pages that one entry of the navigation leads to. */
import type { NavigationEntry } from '../look/navigation.tsx'

export const searches: readonly NavigationEntry[] = [
  { href: '/search', label: 'Companies and GST' },
  { href: '/directors', label: 'Directors' },
]
export const lists: readonly NavigationEntry[] = [
  { href: '/screeners', label: 'Saved screeners' },
  { href: '/watchlists', label: 'Watchlists' },
]
