/**
 * Handles the redirect back from a CRM's consent page, which carries the state and a code or a refusal. The code is
 * sealed into the pending sign-in and the browser receives a one-time word. Only the session that began the sign-in
 * can finish it with that word, so a link slipped to a victim cannot connect an attacker's CRM to the victim's
 * account. A state is accepted once, whatever the outcome.
 */
import { randomBytes } from 'node:crypto'
import { sealingKey } from '../../secrets/canary.ts'
import { seal } from '../../secrets/seal.ts'
import { type ConnectParts, consentUse, hashOf, openConsent } from './connect-parts.ts'

export interface BrowserAnswer {
  readonly state: string
  readonly code?: string | undefined
}

/** `unknown`: a state that was never issued, was already used, or has expired. */
export type AnsweredConsent =
  | { readonly is: 'allowed'; readonly word: string; readonly connector: string }
  | { readonly is: 'refused' | 'unknown' }

const secretShape = /^[\w-]{43}$/
const codeLengthMax = 4096

export async function answerConsent(parts: ConnectParts, { state, code }: BrowserAnswer): Promise<AnsweredConsent> {
  if (!secretShape.test(state)) return { is: 'unknown' }
  const { db, secretKey } = parts
  return db.transaction(async (tx) => {
    const [row] = await tx.query<{ consentId: string; accountId: string; connector: string; sealed: Buffer }>(
      `UPDATE deliver.consent SET answered_at = now()
       WHERE state_sha256 = $1 AND answered_at IS NULL AND expires_at > now()
       RETURNING consent_id AS "consentId", account_id AS "accountId", connector, sealed`,
      [hashOf(state)],
    )
    const opened = row && openConsent(row.sealed, row, secretKey)
    if (!row || !opened) return { is: 'unknown' }
    if (code === undefined || code === '' || code.length > codeLengthMax) {
      await tx.execute(`UPDATE deliver.consent SET sealed = '', finished_at = now() WHERE consent_id = $1`, [
        row.consentId,
      ])
      return { is: 'refused' }
    }
    const word = randomBytes(32).toString('base64url')
    const sealed = seal(JSON.stringify({ ...opened, code }), consentUse(row), await sealingKey(tx, secretKey))
    await tx.execute('UPDATE deliver.consent SET sealed = $2, word_sha256 = $3 WHERE consent_id = $1', [
      row.consentId,
      sealed,
      hashOf(word),
    ])
    return { is: 'allowed', word, connector: row.connector }
  })
}
