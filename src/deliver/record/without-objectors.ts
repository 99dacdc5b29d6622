import type { Queryable } from '../../db/db.ts'
import { hiddenValue, suppressedTexts } from '../../suppression/suppressed-texts.ts'

/** A CRM may quote the address or number that it refused: such a message is hidden once its owner objected. */
export async function withoutObjectors<A extends { readonly message: string | null }>(
  db: Queryable,
  answers: readonly A[],
): Promise<A[]> {
  const isHeld = await suppressedTexts(
    db,
    answers.map(({ message }) => message),
  )
  return answers.map((answer) => (isHeld(answer.message) ? { ...answer, message: hiddenValue } : answer))
}
