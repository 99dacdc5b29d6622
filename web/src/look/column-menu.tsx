/** The menu that shows and hides a list's columns. It stays open for several choices. */
import { Menu, MenuButton, MenuItemCheckbox, MenuProvider } from '@ariakit/react'
import type { ReactNode } from 'react'

export interface ColumnMenuProps {
  /** Its button, and the label where that is no text. */
  readonly button: ReactNode
  readonly label?: string
  readonly offered: readonly (readonly [name: string, words: string])[]
  readonly shown: readonly string[]
  readonly toggle: (name: string) => void
}

export default function ColumnMenu({ button, label, offered, shown, toggle }: ColumnMenuProps) {
  return (
    <MenuProvider values={{ columns: [...shown] }}>
      <MenuButton aria-label={label} className={label && 'column-choice'}>
        {button}
      </MenuButton>
      {/* Fixed, because the table's frame would clip it. */}
      <Menu className="menu" gutter={4} aria-label="Columns to show" fixed>
        {offered.map(([name, words]) => (
          <MenuItemCheckbox key={name} className="menu-item" name="columns" value={name} onClick={() => toggle(name)}>
            <span aria-hidden="true">{shown.includes(name) ? '✓' : ''}</span>
            {words}
          </MenuItemCheckbox>
        ))}
      </Menu>
    </MenuProvider>
  )
}
