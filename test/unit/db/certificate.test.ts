import type { PeerCertificate } from 'node:tls'
import { expect, test } from 'vitest'
import { reach } from '../../../src/db/servers/reach.ts'

const ofServer = (host: string) => ({ subject: { CN: host }, subjectaltname: `DNS:${host}` }) as PeerCertificate
const sslOf = (address: string) => {
  const { ssl } = reach(address)
  return typeof ssl === 'object' ? ssl : undefined
}

test('of several servers the certificate of each is good, and that of any other host is not', () => {
  const check = sslOf('postgresql://u@one.example,two.example/d?sslmode=verify-full')?.checkServerIdentity
  expect(check?.('one.example', ofServer('one.example'))).toBeUndefined()
  expect(check?.('one.example', ofServer('two.example'))).toBeUndefined()
  expect(check?.('one.example', ofServer('three.example'))).toBeInstanceOf(Error)
})

test('no certificate is checked where the address says so, and none is asked for where it does not speak of TLS', () => {
  expect(sslOf('postgresql://u@one.example,two.example/d?sslmode=no-verify')).toEqual({ rejectUnauthorized: false })
  expect(reach('postgresql://u@one.example,two.example/d')).not.toHaveProperty('ssl')
})
