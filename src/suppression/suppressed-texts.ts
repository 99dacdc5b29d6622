/** Tests whether a text contains a suppressed address or number, alone or within a sentence. */
import type { Queryable } from '../db/db.ts'
import { markOf, type Personal, suppressedAmong } from './suppressed-among.ts'

/** Shown in place of such a text. */
export const hiddenValue = '[hidden]'

const betweenWords = /[\s<>,;:"'()]/
const numbers = /\+?[0-9][0-9 ().-]{5,24}/g

function personalIn(text: unknown): Personal[] {
  if (typeof text !== 'string') return []
  const words = text.split(betweenWords).filter((word) => word.includes('@'))
  const emails = words.map((value) => ({ kind: 'email', value }) as const)
  const mobiles = (text.match(numbers) ?? []).map((value) => ({ kind: 'mobile', value: value.trim() }) as const)
  return [...emails, ...mobiles]
}

export async function suppressedTexts(db: Queryable, texts: readonly unknown[]): Promise<(text: unknown) => boolean> {
  const held = await suppressedAmong(db, texts.flatMap(personalIn))
  return (text) => held.size > 0 && personalIn(text).some(({ kind, value }) => held.has(markOf(kind, value)))
}
