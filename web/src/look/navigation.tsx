/**
 * The navigation. Everyday pages are always visible, the others are in sections that open. On a phone four of them are
 * a bar at the bottom, and all are in a drawer.
 */
import { Dialog, DialogDismiss, DialogHeading, useDialogStore } from '@ariakit/react'
import { useEffect } from 'react'
import { Link, useLocation } from 'wouter'

export interface NavigationEntry {
  readonly href: string
  readonly label: string
  /** For pages reached from this one by tabs. */
  readonly also?: readonly string[]
}

export interface NavigationGroup {
  readonly name: string
  readonly entries: readonly NavigationEntry[]
  /** Collapsed until it is opened, or contains the current page. */
  readonly isFolded?: true
}

export interface NavigationProps {
  readonly groups: readonly NavigationGroup[]
  /** The entries of the phone's bar. */
  readonly bar: readonly string[]
}

export function Navigation({ groups, bar }: NavigationProps) {
  const entries = groups.flatMap((group) => group.entries)
  const drawer = useDialogStore()
  const [location] = useLocation()
  const isBelowMore = entries.some((entry) => !bar.includes(entry.href) && leadsTo(entry, location))
  // biome-ignore lint/correctness/useExhaustiveDependencies: after navigating it is no longer needed
  useEffect(() => drawer.hide(), [location])
  return (
    <>
      <nav className="side" aria-label="Pages of Panji">
        <Groups groups={groups} />
      </nav>
      <nav className="bottom" aria-label="Pages of Panji">
        {entries
          .filter(({ href }) => bar.includes(href))
          .map((entry) => (
            <NavigationLink key={entry.href} {...entry} />
          ))}
        <button type="button" aria-current={isBelowMore ? 'true' : undefined} onClick={drawer.show}>
          More
        </button>
      </nav>
      <Dialog store={drawer} className="dialog drawer" backdrop={<div className="backdrop" />} unmountOnHide>
        <header className="page-head">
          <DialogHeading>All pages</DialogHeading>
          <DialogDismiss>Close</DialogDismiss>
        </header>
        <nav aria-label="All pages of Panji">
          <Groups groups={groups.map(({ name, entries: ofGroup }) => ({ name, entries: ofGroup }))} />
        </nav>
      </Dialog>
    </>
  )
}

function Groups({ groups }: { readonly groups: readonly NavigationGroup[] }) {
  return groups.map((group) =>
    group.isFolded ? <Fold key={group.name} {...group} /> : <List key={group.name} {...group} />,
  )
}

function List({ name, entries }: NavigationGroup) {
  return (
    <ul aria-label={name}>
      {entries.map((entry) => (
        <li key={entry.href}>
          <NavigationLink {...entry} />
        </li>
      ))}
    </ul>
  )
}

function Fold(group: NavigationGroup) {
  const [location] = useLocation()
  const isHere = group.entries.some((entry) => leadsTo(entry, location))
  return (
    // A new key when one of its pages is reached by another link, so that it opens.
    <details key={String(isHere)} open={isHere}>
      <summary>{group.name}</summary>
      <List {...group} />
    </details>
  )
}

const leadsTo = ({ href, also = [] }: NavigationEntry, location: string): boolean =>
  [href, ...also].some((each) =>
    each === '/' ? location === '/' : location === each || location.startsWith(`${each}/`),
  )

function NavigationLink(entry: NavigationEntry) {
  const [location] = useLocation()
  return (
    <Link href={entry.href} aria-current={leadsTo(entry, location) ? 'page' : undefined}>
      {entry.label}
    </Link>
  )
}

/** Related pages as tabs; the current page is one of them. */
export function Tabs({ label, entries }: { readonly label: string; readonly entries: readonly NavigationEntry[] }) {
  return (
    <nav className="tabs" aria-label={label}>
      {entries.map((entry) => (
        <NavigationLink key={entry.href} {...entry} />
      ))}
    </nav>
  )
}
