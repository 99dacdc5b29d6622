/**
 * A receipt goes in, and whether it says what was signed comes out: offline, with nothing but the file and, better, the key. A signature
 * stays true where the database has lost what was signed, to a failover or a restore; that only the database can tell.
 */
import { calculateJwkThumbprint, compactVerify, importJWK, type JWK } from 'jose'
import { z } from 'zod'

/** What happened to one lead, in the words of the file. */
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

type Said = Readonly<Record<string, unknown>>

interface Against {
  /** Thumbprint of the one key that counts; any key where none is given. */
  readonly kid?: string | undefined
  /** What the database says of a delivery now; where it is not asked, the signature alone counts. */
  readonly now?: (deliveryId: string) => Promise<object | undefined>
}

export async function verifyReceipt(text: string, against: Against = {}): Promise<ReceiptVerdict> {
  const file = readAs(ReceiptFile, text)
  if (file === undefined) return refused(null, 'this is no receipt')
  const key = file.key as JWK
  const kid = await calculateJwkThumbprint(key)
  if (against.kid !== undefined && against.kid !== kid) return refused(kid, 'another key signed it')
  const signed = await signedText(file.jws, key)
  if (signed === undefined) return refused(kid, 'the signature does not fit')
  const said = readAs(ReceiptBody, signed)
  if (said === undefined || textOf(said) !== textOf(file.receipt)) {
    return refused(kid, 'the receipt says something else than what was signed')
  }
  const contradiction = against.now && contradictionOf(said, await against.now(said.delivery_id))
  return contradiction === undefined ? { ok: true, kid, reason: null } : refused(kid, contradiction)
}

function contradictionOf(said: Said, now: object | undefined): string | undefined {
  if (now === undefined) return 'this instance knows no such delivery'
  return textOf(said) === textOf(now) ? undefined : 'this instance says something else of the delivery'
}

/** Members in one order, whatever laid the file out. */
function textOf(receipt: object): string {
  return JSON.stringify(Object.entries(receipt).sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** @returns undefined for a text that is none. */
function readAs<T>(shape: z.ZodType<T>, text: string): T | undefined {
  try {
    return shape.safeParse(JSON.parse(text)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** @returns undefined where the signature does not fit the key, or the key is none. */
async function signedText(jws: string, key: JWK): Promise<string | undefined> {
  const verifying = importJWK(key, 'EdDSA').then((known) => compactVerify(jws, known, { algorithms: ['EdDSA'] }))
  const verified = await verifying.catch(() => undefined)
  return verified && new TextDecoder().decode(verified.payload)
}

const refused = (kid: string | null, reason: string): ReceiptVerdict => ({ ok: false, kid, reason })
