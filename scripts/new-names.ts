/** A name in every form that code uses, so that all forms of an example's name can be replaced by another. */

export type Rename = (text: string) => string

const words = (name: string): string[] => name.split('-')
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** `bank-branches`, `bank_branches`, `BANK_BRANCHES`, `bankBranches`, `BankBranches`, `bank branches`. */
function formsOf(name: string): string[] {
  const pascal = words(name).map(capital).join('')
  const snake = words(name).join('_')
  return [
    name,
    snake,
    snake.toUpperCase(),
    pascal.charAt(0).toLowerCase() + pascal.slice(1),
    pascal,
    words(name).join(' '),
  ]
}

const singular = (name: string): string =>
  name.replace(/(ies|(?<=ch|sh|s|x)es|(?<!s)s)$/, (ending) => (ending === 'ies' ? 'y' : ''))

/** @param example in the plural where it has one: its singular is replaced by that of `name`. */
export function renameOf(example: string, name = ''): Rename {
  const pairs = [
    ...formsOf(example).map((form, index) => [form, formsOf(name)[index] ?? ''] as const),
    ...formsOf(singular(example)).map((form, index) => [form, formsOf(singular(name))[index] ?? ''] as const),
  ]
  const longest = pairs.toSorted(([a], [b]) => b.length - a.length)
  const any = new RegExp(
    `${longest.map(([form]) => `(?<![a-z])${form}(?![a-z])`).join('|')}|${camelWithin(longest)}`,
    'g',
  )
  return (text) => text.replace(any, (found) => longest.find(([form]) => form === found)?.[1] ?? found)
}

/** Forms with a capital also occur within other names: `countWatchlists`. */
const camelWithin = (pairs: readonly (readonly [string, string])[]): string =>
  pairs
    .map(([form]) => form)
    .filter((form) => /^[A-Z][a-z]/.test(form))
    .join('|')
