/** An application's routes: each page is loaded on demand, inside its own error boundary. */
import { type ComponentType, lazy, Suspense } from 'react'
import { Link, Route, Switch, useLocation } from 'wouter'
import { Guard, ScriptMissing } from './guard.tsx'
import { Page } from './page.tsx'

export interface PageRoute {
  readonly path: string
  readonly page: ComponentType
}

/** @param load imports the module whose default export is the page. */
export function pageRoute(path: string, load: () => Promise<{ readonly default: ComponentType }>): PageRoute {
  const loaded = () =>
    load().catch((cause: unknown) => {
      throw new ScriptMissing(`the script of ${path} did not load`, { cause })
    })
  return { path, page: lazy(loaded) }
}

export function PageRoutes({ routes }: { readonly routes: readonly PageRoute[] }) {
  const [location] = useLocation()
  return (
    <Guard key={location}>
      <Suspense
        fallback={
          <div role="status">
            <h1>Fetching the page …</h1>
          </div>
        }
      >
        <Switch>
          {routes.map(({ path, page }) => (
            <Route key={path} path={path} component={page} />
          ))}
          <Route>
            <Page title="Page not found">
              <p>
                Check the address, or <Link href="/">go to the first page</Link>.
              </p>
            </Page>
          </Route>
        </Switch>
      </Suspense>
    </Guard>
  )
}
