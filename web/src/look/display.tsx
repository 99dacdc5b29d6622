/** The Display menu: theme, density and list shortcuts. Changes apply at once and are stored in this browser. */
import { Menu, MenuButton, MenuGroup, MenuGroupLabel, MenuItemRadio, MenuProvider } from '@ariakit/react'
import { useState } from 'react'
import { type Appearance, appearanceOf, applyAppearance, chosenAppearance } from './theme.ts'

interface Group {
  readonly name: keyof Appearance
  readonly label: string
  readonly options: readonly (readonly [value: string, words: string])[]
}

const groups: readonly Group[] = [
  {
    ...{ name: 'theme', label: 'Colours' },
    options: [
      ['system', 'System'],
      ['light', 'Light'],
      ['dark', 'Dark'],
    ],
  },
  {
    ...{ name: 'density', label: 'Density' },
    options: [
      ['comfortable', 'Comfortable'],
      ['compact', 'Compact'],
    ],
  },
  {
    ...{ name: 'keys', label: 'Keys j, k, x and /' },
    options: [
      ['on', 'On'],
      ['off', 'Off'],
    ],
  },
]

export default function DisplayMenu() {
  const [appearance, setAppearance] = useState(chosenAppearance)
  const choose = (said: Readonly<Record<string, unknown>>) => {
    const next = appearanceOf(said)
    applyAppearance(next)
    setAppearance(next)
  }
  return (
    <MenuProvider values={{ ...appearance }} setValues={choose}>
      <MenuButton>Display</MenuButton>
      <Menu className="menu" gutter={4}>
        {groups.map(({ name, label, options }) => (
          <MenuGroup key={name}>
            <MenuGroupLabel className="faint">{label}</MenuGroupLabel>
            {options.map(([value, words]) => (
              <MenuItemRadio key={value} name={name} value={value} className="menu-item">
                <span aria-hidden="true">{appearance[name] === value ? '✓' : ''}</span>
                {words}
              </MenuItemRadio>
            ))}
          </MenuGroup>
        ))}
      </Menu>
    </MenuProvider>
  )
}
