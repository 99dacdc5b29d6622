/** What stands around every page: the way past it all, the pages by name, who is signed in, and the colours. */
import { lazy, type ReactNode, Suspense } from 'react'
import { Link, useLocation } from 'wouter'
import { useRowKeys } from './row-keys.ts'

/** The first script does without menus. */
const DisplayMenu = lazy(() => import('./display.tsx'))

export interface NavigationEntry {
  readonly href: string
  readonly label: string
}

export interface NavigationGroup {
  readonly name: string
  readonly entries: readonly NavigationEntry[]
}

export function Layout(props: {
  readonly name: string
  readonly who: ReactNode
  readonly navigation: readonly NavigationGroup[]
  readonly palette: ReactNode
  readonly signOut: () => void
  readonly children: ReactNode
}) {
  const { name, who, navigation, palette, signOut, children } = props
  useRowKeys()
  return (
    <div className="shell">
      <a className="skip" href="#page">
        Skip to the page
      </a>
      <header className="top">
        <span className="brand">{name}</span>
        <div className="acts">
          {palette}
          <Suspense
            fallback={
              <button type="button" disabled>
                Display
              </button>
            }
          >
            <DisplayMenu />
          </Suspense>
          <span className="who">{who}</span>
          <button type="button" onClick={signOut}>
            Sign out
          </button>
        </div>
      </header>
      <nav className="side" aria-label="Pages of Panji">
        {navigation.map((group) => (
          <ul key={group.name} aria-label={group.name}>
            {group.entries.map((entry) => (
              <li key={entry.href}>
                <NavigationLink {...entry} />
              </li>
            ))}
          </ul>
        ))}
      </nav>
      <main id="page" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

function NavigationLink({ href, label }: NavigationEntry) {
  const [location] = useLocation()
  const here = href === '/' ? location === '/' : location === href || location.startsWith(`${href}/`)
  return (
    <Link href={href} aria-current={here ? 'page' : undefined}>
      {label}
    </Link>
  )
}
