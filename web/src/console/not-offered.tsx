/** Shown instead of a page that the role may not read: the pages that it may. */
import { Link } from 'wouter'
import type { NavigationEntry } from '../look/navigation.tsx'
import { Page } from '../look/page.tsx'

export function NotOffered({ entries }: { readonly entries: readonly NavigationEntry[] }) {
  return (
    <Page title="Not for accountants">
      <p>Accountants see only the pages about money; an owner can give you another role. Your pages:</p>
      <ul>
        {entries.map(({ href, label }) => (
          <li key={href}>
            <Link href={href}>{label}</Link>
          </li>
        ))}
      </ul>
    </Page>
  )
}
