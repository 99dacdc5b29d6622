/**
 * The code of a link that lets a person in, made each time that its e-mail is sent and kept hashed: a link that was sent twice works
 * twice, each once. The database keeps a code for an e-mail alone that somebody asked for.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { Queryable } from '../../db/db.ts'

/** @returns undefined where the person or the account is gone meanwhile. */
export async function makeCode(db: Queryable, mailId: string, minutes: number): Promise<string | undefined> {
  const code = randomBytes(32).toString('base64url')
  const [kept] = await db.query<{ made: boolean }>('SELECT access.make_sign_in_code($1, $2, $3) AS made', [
    mailId,
    createHash('sha256').update(code).digest(),
    minutes,
  ])
  return kept?.made === true ? code : undefined
}
