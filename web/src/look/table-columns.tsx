/**
 * The chosen columns of a list, and the menu that chooses them. The first column is always shown, since it identifies
 * the row.
 */
import { type ReactNode, Suspense } from 'react'
import { useKeptColumns } from './kept-columns.ts'
import { lazyPart } from './lazy-part.tsx'

/** Menus are not part of the first script. */
const ColumnMenu = lazyPart(
  () => import('./column-menu.tsx'),
  () => null,
)
/** With fewer there is nothing to choose. */
const offeredMin = 3

interface ChosenColumn {
  readonly head: string
  readonly isFixed?: boolean
}

/** @param isOurs unless the page has its own menu. */
export function useColumns<Of extends ChosenColumn>(
  caption: string,
  columns: readonly Of[],
  isOurs: boolean,
): readonly [shown: readonly Of[], menu: ReactNode] {
  const [hidden, hide] = useKeptColumns(caption)
  const offered = columns.filter(({ isFixed }) => !isFixed).slice(1)
  if (!isOurs || offered.length < offeredMin) return [columns, null]
  const isShown = (column: Of) => !offered.includes(column) || !hidden.includes(column.head)
  const menu = (
    <Suspense fallback={null}>
      <ColumnMenu
        button={<ColumnsIcon />}
        label={`Columns of ${caption}`}
        offered={offered.map(({ head }) => [head, head])}
        shown={offered.filter(isShown).map(({ head }) => head)}
        toggle={(head) => hide([...new Set(hidden).symmetricDifference(new Set([head]))])}
      />
    </Suspense>
  )
  return [columns.filter(isShown), menu]
}

const ColumnsIcon = () => (
  <svg viewBox="0 0 16 16" aria-hidden="true">
    <path d="M1.5 2.5h13v11h-13zM6 2.5v11M10.2 2.5v11" />
  </svg>
)
