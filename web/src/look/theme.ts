/**
 * Display settings of this browser: theme (that of the system by default), density, and whether list shortcuts are on.
 * Only choices that differ from the default are stored.
 */
const among = {
  theme: ['system', 'light', 'dark'],
  density: ['comfortable', 'compact'],
  keys: ['on', 'off'],
} as const

export interface Appearance {
  readonly theme: (typeof among.theme)[number]
  readonly density: (typeof among.density)[number]
  /** Whether single letters act on lists (row-keys.ts). */
  readonly keys: (typeof among.keys)[number]
}

const keyOf = (name: keyof Appearance) => `panji-${name}`

/** @param said the chosen names; an unknown one is ignored. */
export const appearanceOf = (said: Readonly<Record<string, unknown>>): Appearance => ({
  theme: oneOf(among.theme, said['theme']),
  density: oneOf(among.density, said['density']),
  keys: oneOf(among.keys, said['keys']),
})

function oneOf<Value extends string>([usual, ...others]: readonly [Value, ...Value[]], said: unknown): Value {
  return others.find((each) => each === said) ?? usual
}

const names = ['theme', 'density', 'keys'] as const

export const chosenAppearance = (): Appearance =>
  appearanceOf(Object.fromEntries(names.map((name) => [name, localStorage.getItem(keyOf(name))])))

export function applyAppearance(appearance: Appearance): void {
  for (const name of names) {
    if (appearance[name] === among[name][0]) {
      localStorage.removeItem(keyOf(name))
      delete document.documentElement.dataset[name]
    } else {
      localStorage.setItem(keyOf(name), appearance[name])
      document.documentElement.dataset[name] = appearance[name]
    }
  }
}
