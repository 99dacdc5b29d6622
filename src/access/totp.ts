/**
 * Time-based one-time codes, RFC 6238 with the defaults of authenticators: HMAC-SHA1 over steps of half a minute, six
 * digits, a secret of 160 bits in base32 (RFC 4648).
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const stepSeconds = 30
const digits = 6
/** Accepted steps around the current one: clocks differ, and people type. */
const steps = [0, -1, 1] as const
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export const newTotpSecret = (): Buffer => randomBytes(20)

/** Without padding, as authenticators expect it. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  const number = (mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits
  return String(number).padStart(digits, '0')
}

/** @returns the step that the code belongs to, now or one step away; undefined if it belongs to none. */
export function stepOf(secret: Buffer, code: string, nowMs: number): number | undefined {
  const now = Math.floor(nowMs / 1000 / stepSeconds)
  const given = Buffer.from(code)
  return steps
    .map((difference) => now + difference)
    .find((step) => {
      const expected = Buffer.from(codeAt(secret, step))
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
}

/** For an authenticator, as a QR code or a link. */
export function otpauthUrl(secret: Buffer, name: string): string {
  const query = new URLSearchParams({ secret: base32(secret), issuer: 'Panji' })
  return `otpauth://totp/Panji:${encodeURIComponent(name)}?${query}`
}
