/** By what records are found that a CRM had before: as lines that people write, `Company = Company, PostalCode = Zip_Code`, and as settings have them. */

type Rule = Readonly<Record<string, string>>

/** A line that says none of this goes to the server as a field of that name: its sentence names it. */
export const rulesIn = (text: string): Rule[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => Object.fromEntries(line.split(',').map(pairIn)))

function pairIn(text: string): readonly [string, string] {
  const [field = '', column = ''] = text.split('=')
  return [field.trim(), column.trim()]
}

export const lineOfRules = (rules: readonly Rule[]): string =>
  rules
    .map((rule) =>
      Object.entries(rule)
        .map(([field, column]) => `${field} = ${column}`)
        .join(', '),
    )
    .join('\n')
