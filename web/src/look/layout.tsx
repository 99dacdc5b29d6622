/** What stands around every page: the way past it all, the pages by name, who is signed in, and the colours. */
import { type ReactNode, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { applyTheme, chosenTheme, type Theme } from './theme.ts'

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
  return (
    <div className="shell">
      <a className="skip" href="#page">
        Skip to the page
      </a>
      <header className="top">
        <span className="brand">{name}</span>
        <div className="acts">
          {palette}
          <ThemeChoice />
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

function ThemeChoice() {
  const [theme, setTheme] = useState(chosenTheme)
  const choose = (next: Theme) => {
    applyTheme(next)
    setTheme(next)
  }
  return (
    <select aria-label="Colours" value={theme} onChange={(event) => choose(event.target.value as Theme)}>
      <option value="system">System</option>
      <option value="light">Light</option>
      <option value="dark">Dark</option>
    </select>
  )
}
