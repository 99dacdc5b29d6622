/** The menu of the columns that a list can show. It stays open while one after the other is chosen. */
import { Menu, MenuButton, MenuItemCheckbox, MenuProvider } from '@ariakit/react'
import type { ReactNode } from 'react'

export interface ColumnMenuProps {
  /** Its button, and what it is called where that is no text. */
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
      {/* Fixed, or the frame of the table would cut it off. */}
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
