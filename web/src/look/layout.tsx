/** The frame of every page: skip link, navigation, the signed-in person, and display settings. */
import { type ReactNode, Suspense } from 'react'
import { Badge } from './badge.tsx'
import { lazyPart } from './lazy-part.tsx'
import { Navigation, type NavigationProps } from './navigation.tsx'
import { useRowKeys } from './row-keys.ts'

/** Menus are not part of the first script. */
const DisplayMenu = lazyPart(() => import('./display.tsx'), NoDisplayMenu)

export function Layout(props: {
  readonly name: string
  readonly who: ReactNode
  readonly isSampleWorld: boolean
  readonly navigation: NavigationProps
  readonly palette: ReactNode
  readonly signOut: () => void
  readonly children: ReactNode
}) {
  const { name, who, isSampleWorld, navigation, palette, signOut, children } = props
  useRowKeys()
  return (
    <div className="shell">
      <a className="skip" href="#page">
        Skip to the page
      </a>
      <header className="top">
        <span className="brand">{name}</span>
        <div className="where">
          <span className="who">{who}</span>
          {isSampleWorld && <Badge tone="warn">Sample world</Badge>}
        </div>
        <div className="acts">
          {palette}
          <Suspense fallback={<NoDisplayMenu />}>
            <DisplayMenu />
          </Suspense>
          <button type="button" onClick={signOut}>
            Sign out
          </button>
        </div>
      </header>
      <Navigation {...navigation} />
      <main id="page" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

function NoDisplayMenu() {
  return (
    <button type="button" disabled>
      Display
    </button>
  )
}
