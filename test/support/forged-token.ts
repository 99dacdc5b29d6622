/** A customer's access token with some claims or header members replaced, signed by the server's own key by default. */
import { SignJWT } from 'jose'
import { createKeyRing } from '../../src/access/signing-keys.ts'
import type { Db } from '../../src/db/db.ts'
import { secretKey } from './api.ts'

type PrivateKey = Parameters<SignJWT['sign']>[0]

export async function forgeToken(
  db: Db,
  customer: { readonly token: string },
  claims: Readonly<Record<string, unknown>>,
  replaced: { readonly typ?: string; readonly header?: object; readonly privateKey?: PrivateKey } = {},
): Promise<string> {
  const [header = '', payload = ''] = customer.token.split('.')
  const key = replaced.privateKey ?? (await createKeyRing(secretKey).current(db)).privateKey
  const merged = Object.fromEntries(
    Object.entries({ ...decoded(payload), ...claims }).filter(([, value]) => value !== undefined),
  )
  const protectedHeader = { ...decoded(header), ...replaced.header, alg: 'EdDSA', typ: replaced.typ ?? 'at+jwt' }
  return new SignJWT(merged).setProtectedHeader(protectedHeader).sign(key)
}

const decoded = (part: string): Record<string, string> => JSON.parse(Buffer.from(part, 'base64url').toString())
