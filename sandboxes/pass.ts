/**
 * How a connector trusts a sandbox: a loopback address is not a CRM unless a sandbox runs there that issued these
 * very settings. The pass in the settings binds a secret to the sandbox's address; before the first call the sandbox
 * proves that it has the secret, so that another program on the same port, or on another one, receives nothing.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Where a sandbox proves its secret; `nonce` is a query parameter. */
export const proofPath = '/sandbox-proof'

const keyBytes = 32

export function newSandboxKey(): Buffer {
  return randomBytes(keyBytes)
}

/** @param origin `http://127.0.0.1:8081`. */
export function issuePass(key: Buffer, origin: string): string {
  return `${key.toString('base64url')}.${mac(key, `origin ${origin}`)}`
}

/** True if the pass was issued for this address. */
export function passFits(pass: string, address: URL): boolean {
  const [keyText = '', seal = ''] = pass.split('.')
  const key = Buffer.from(keyText, 'base64url')
  return isLoopbackName(address.hostname) && key.length === keyBytes && same(seal, mac(key, `origin ${address.origin}`))
}

export function proofOf(key: Buffer, nonce: string): string {
  return mac(key, `nonce ${nonce}`)
}

export function isProof(pass: string, nonce: string, proof: unknown): boolean {
  const key = Buffer.from(pass.split('.')[0] ?? '', 'base64url')
  return typeof proof === 'string' && same(proof, proofOf(key, nonce))
}

/** Names of this machine that no resolver can redirect elsewhere. */
export function isLoopbackName(hostname: string): boolean {
  return hostname === '127.0.0.1' || hostname === '[::1]' || hostname === 'localhost'
}

const mac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest('base64url')

function same(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
