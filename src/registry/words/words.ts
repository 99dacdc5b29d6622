/** Maps the words that callers write to the spelling of the registers, by config/vocabularies.ts. */
import { type Vocabulary, vocabularies } from '../../../config/vocabularies.ts'
import { nearest } from '../../domain/nearest.ts'
import { wordKey } from '../../domain/word-key.ts'

const entriesOf = (vocabulary: Vocabulary): (readonly [string, readonly string[]])[] =>
  Object.entries<readonly string[]>(vocabularies[vocabulary])
const wordByKey = new Map(
  (Object.keys(vocabularies) as Vocabulary[]).map((vocabulary) => [
    vocabulary,
    new Map(
      entriesOf(vocabulary).flatMap(([word, spellings]) => [word, ...spellings].map((each) => [wordKey(each), word])),
    ),
  ]),
)
/** Shorter words are too close to each other to distinguish a typo from another word. */
const typoLengthMin = 5
const typoLengthMax = 80

export const wordsOf = (vocabulary: Vocabulary): string[] => entriesOf(vocabulary).map(([word]) => word)

/** The word for any of its spellings; undefined if it is not in the vocabulary. */
export function readWord(vocabulary: Vocabulary, text: string): string | undefined {
  return wordByKey.get(vocabulary)?.get(wordKey(text.trim()))
}

/** The word and all its spellings: a record that still contains one of them matches, too. */
export function spellingsOf(vocabulary: Vocabulary, word: string): string[] {
  const spellings = entriesOf(vocabulary).find(([each]) => each === word)?.[1] ?? []
  return [...new Set([word, ...spellings])]
}

/** The word that `text` probably means: from the vocabulary, by any spelling, or from the other words given. */
export function wordLike(vocabulary: Vocabulary | null, text: string, others: readonly string[]): string | undefined {
  const folded = text.trim().toLowerCase()
  if (folded.length < typoLengthMin || folded.length > typoLengthMax) return undefined
  const spellings = vocabulary === null ? [] : entriesOf(vocabulary).flatMap(([word, each]) => [word, ...each])
  const meant = nearest(folded, [...spellings, ...others], folded.length < 8 ? 1 : 2)
  return meant === undefined || vocabulary === null ? meant : (readWord(vocabulary, meant) ?? meant)
}
