/**
 * The code of a sign-in link, generated each time that its e-mail is sent and stored hashed: if a link was sent twice,
 * each of the two works once. The database accepts a code only for an e-mail that was requested.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { Queryable } from '../../db/db.ts'

/** @returns undefined where the person or the account no longer exists. */
export async function makeCode(db: Queryable, mailId: string, minutes: number): Promise<string | undefined> {
  const code = randomBytes(32).toString('base64url')
  const [kept] = await db.query<{ made: boolean }>('SELECT access.make_sign_in_code($1, $2, $3) AS made', [
    mailId,
    createHash('sha256').update(code).digest(),
    minutes,
  ])
  return kept?.made === true ? code : undefined
}
