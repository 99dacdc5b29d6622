/** Names as people search for them, drawn from the register itself, with realistic shares: the same list each time. */
import type { Db } from '../src/db/db.ts'

export const nameKinds = ['id', 'whole', 'prefix', 'twoWords', 'misspelt', 'common', 'twoLetters'] as const
export type NameKind = (typeof nameKinds)[number]

export interface NameQuery {
  readonly kind: NameKind
  readonly text: string
}

interface Sampled {
  readonly cin: string
  readonly name: string
  readonly key: string
}

/** Out of a hundred queries. */
const shares: Readonly<Record<NameKind, number>> = {
  id: 15,
  whole: 20,
  prefix: 20,
  twoWords: 20,
  misspelt: 15,
  common: 6,
  twoLetters: 4,
}
const commonWords = ['india', 'enterprises', 'traders', 'industries', 'services', 'infra', 'solutions', 'global']
const twoLetterWords = ['co', 'it', '99', 'ka', 'ra', 'in']

export async function nameQueries(db: Db, count: number): Promise<readonly NameQuery[]> {
  const rows = await db.query<Sampled>(
    `SELECT cin, name, name_key AS key FROM (SELECT * FROM registry.company LIMIT $1 * 50) AS drawn
     ORDER BY hashtext(cin) LIMIT $1`,
    [count],
  )
  const kinds = nameKinds.flatMap((kind) => Array.from({ length: shares[kind] }, () => kind))
  // 37 and 100 are coprime: the kinds alternate instead of coming in blocks.
  return rows.map((row, index) => {
    const kind = kinds[(index * 37) % kinds.length] ?? 'whole'
    return { kind, text: textOf(kind, row, index) }
  })
}

function textOf(kind: NameKind, { cin, name, key }: Sampled, index: number): string {
  const [first = '', second = 'india'] = key.split(' ')
  switch (kind) {
    case 'id':
      return cin
    case 'whole':
      return name.replace('PRIVATE LIMITED', 'Pvt. Ltd.')
    case 'prefix':
      return key.slice(0, 6)
    case 'twoWords':
      return `${second} ${first}`
    case 'misspelt':
      return `${misspelt(first, index)} ${second}`
    case 'common':
      return commonWords[index % commonWords.length] ?? ''
    case 'twoLetters':
      return twoLetterWords[index % twoLetterWords.length] ?? ''
  }
}

/** Swaps two letters, drops one, or replaces the first. */
function misspelt(word: string, index: number): string {
  const at = 1 + (index % Math.max(1, word.length - 2))
  if (index % 3 === 0) return `x${word.slice(1)}`
  if (index % 3 === 1) return word.slice(0, at) + word.slice(at + 1)
  return word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2)
}
