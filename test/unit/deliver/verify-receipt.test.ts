import { CompactSign, calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import { verifyReceipt } from '../../../src/deliver/record/verify-receipt.ts'

const receipt = { delivery_id: 'd-1', record: 'gst:30AAACR5055K1Z5', outcome: 'created', ledger_transfer: 7 }
let key: JWK
let sign: (text: string) => Promise<string>

beforeAll(async () => {
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  key = await exportJWK(pair.publicKey)
  sign = (text) =>
    new CompactSign(new TextEncoder().encode(text)).setProtectedHeader({ alg: 'EdDSA' }).sign(pair.privateKey)
})

test('a receipt holds however the file is laid out, and under its own key alone', async () => {
  const jws = await sign(JSON.stringify(receipt))
  const kid = await calculateJwkThumbprint(key)
  const turned = Object.fromEntries(Object.entries(receipt).reverse())
  for (const told of [receipt, turned]) {
    const text = JSON.stringify({ receipt: told, jws, key }, undefined, 2)
    expect(await verifyReceipt(text)).toEqual({ ok: true, kid, reason: null })
    expect(await verifyReceipt(text, { kid })).toMatchObject({ ok: true })
    expect(await verifyReceipt(text, { kid: 'another' })).toEqual({
      ok: false,
      kid,
      reason: 'it was signed with another key',
    })
  }
})

test('a member that was changed, added or removed is reported', async () => {
  const jws = await sign(JSON.stringify(receipt))
  const { outcome: _, ...less } = receipt
  for (const told of [{ ...receipt, ledger_transfer: 8 }, { ...receipt, more: 1 }, less]) {
    const reason = 'the receipt differs from what was signed'
    expect(await verifyReceipt(JSON.stringify({ receipt: told, jws, key }))).toMatchObject({ ok: false, reason })
  }
})

test('a receipt that was signed truly is refused where the database has lost the delivery, or says something else of it', async () => {
  const text = JSON.stringify({ receipt, jws: await sign(JSON.stringify(receipt)), key })
  const askedWhere = (now: object | undefined) => verifyReceipt(text, { now: async () => now })
  expect(await askedWhere({ ...receipt })).toMatchObject({ ok: true })
  expect(await askedWhere(undefined)).toMatchObject({ ok: false, reason: 'this instance has no such delivery' })
  expect(await askedWhere({ ...receipt, outcome: 'updated' })).toMatchObject({
    ok: false,
    reason: 'this instance has different data for the delivery',
  })
})

test('whatever was signed that is no receipt, and whatever is no key, is refused in a sentence', async () => {
  const files = [
    ...(await Promise.all(
      ['', 'text', 'null', '7', '[]'].map(async (text) => ({ receipt, jws: await sign(text), key })),
    )),
    { receipt, jws: await sign(JSON.stringify(receipt)), key: { ...key, x: 'no point' } },
    { receipt, jws: await sign(JSON.stringify(receipt)), key: { ...key, x: '' } },
    { receipt, jws: 'a.b.c', key },
    { receipt, jws: '', key },
  ]
  for (const file of files)
    expect(await verifyReceipt(JSON.stringify(file))).toMatchObject({ ok: false, reason: expect.any(String) })
})
