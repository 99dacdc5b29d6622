/**
 * Matching rules that find existing records: as lines of text, `Company = Company, PostalCode = Zip_Code`, and as
 * settings.
 */

type Rule = Readonly<Record<string, string>>

/** A line without a rule is sent as a field name: the server's error names it. */
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
