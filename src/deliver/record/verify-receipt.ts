/**
 * Verifies a signed receipt offline, from the file alone or, better, with a known key. A signature stays valid if the
 * database has since lost what was signed, in a failover or a restore; only a check against the database finds that.
 */
import { calculateJwkThumbprint, compactVerify, importJWK, type JWK } from 'jose'
import { z } from 'zod'

/** The body of a receipt in the file. */
const ReceiptBody = z.looseObject({ delivery_id: z.string(), record: z.string() })

const ReceiptFile = z.strictObject({
  receipt: ReceiptBody,
  /** The same as a JSON Web Signature, EdDSA over Ed25519. */
  jws: z.string(),
  /** Public half of the key that signed. */
  key: z.looseObject({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string().min(1) }),
})

export interface ReceiptVerdict {
  readonly ok: boolean
  /** Thumbprint of the key that signed; compare it with the one that you know. */
  readonly kid: string | null
  readonly reason: string | null
}

type Body = Readonly<Record<string, unknown>>

interface Against {
  /** Thumbprint of the only accepted key; any key if it is not given. */
  readonly kid?: string | undefined
  /** The database's current receipt of a delivery; without it, only the signature is checked. */
  readonly now?: (deliveryId: string) => Promise<object | undefined>
}

export async function verifyReceipt(text: string, against: Against = {}): Promise<ReceiptVerdict> {
  const file = readAs(ReceiptFile, text)
  if (file === undefined) return refused(null, 'this is not a receipt')
  const key = file.key as JWK
  const kid = await calculateJwkThumbprint(key)
  if (against.kid !== undefined && against.kid !== kid) return refused(kid, 'it was signed with another key')
  const signed = await signedText(file.jws, key)
  if (signed === undefined) return refused(kid, 'the signature does not match')
  const body = readAs(ReceiptBody, signed)
  if (body === undefined || textOf(body) !== textOf(file.receipt)) {
    return refused(kid, 'the receipt differs from what was signed')
  }
  const contradiction = against.now && contradictionOf(body, await against.now(body.delivery_id))
  return contradiction === undefined ? { ok: true, kid, reason: null } : refused(kid, contradiction)
}

function contradictionOf(body: Body, now: object | undefined): string | undefined {
  if (now === undefined) return 'this instance has no such delivery'
  return textOf(body) === textOf(now) ? undefined : 'this instance has different data for the delivery'
}

/** Sorts the members, so that their order in the file does not matter. */
function textOf(receipt: object): string {
  return JSON.stringify(Object.entries(receipt).sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** @returns undefined if the text is not valid. */
function readAs<T>(shape: z.ZodType<T>, text: string): T | undefined {
  try {
    return shape.safeParse(JSON.parse(text)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** @returns undefined if the signature does not match the key, or the key is invalid. */
async function signedText(jws: string, key: JWK): Promise<string | undefined> {
  const verifying = importJWK(key, 'EdDSA').then((known) => compactVerify(jws, known, { algorithms: ['EdDSA'] }))
  const verified = await verifying.catch(() => undefined)
  return verified && new TextDecoder().decode(verified.payload)
}

const refused = (kid: string | null, reason: string): ReceiptVerdict => ({ ok: false, kid, reason })
