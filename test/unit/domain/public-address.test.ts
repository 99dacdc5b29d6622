import { expect, test } from 'vitest'
import { isPublicAddress } from '../../../src/domain/public-address.ts'
import { publicLookup } from '../../../src/ingest/input/transport/private-address.ts'

test.each([
  ['this host', '0.0.0.0'],
  ['loopback', '127.0.0.1'],
  ['loopback', '::1'],
  ['unspecified', '::'],
  ['private', '10.1.2.3'],
  ['private', '172.31.255.255'],
  ['private', '192.168.1.1'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['link-local, where clouds answer with credentials', '169.254.169.254'],
  ['protocol assignments', '192.0.0.8'],
  ['documentation', '192.0.2.1'],
  ['documentation', '198.51.100.7'],
  ['documentation', '203.0.113.9'],
  ['documentation', '2001:db8::1'],
  ['documentation', '3fff::1'],
  ['benchmarking', '198.18.0.1'],
  ['benchmarking', '2001:2::1'],
  ['6to4 relays', '192.88.99.1'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['mapped into IPv6', '::ffff:127.0.0.1'],
  ['mapped into IPv6', '::ffff:a9fe:a9fe'],
  ['mapped into IPv6, public', '::ffff:8.8.8.8'],
  ['compatible with IPv4', '::127.0.0.1'],
  ['NAT64', '64:ff9b::7f00:1'],
  ['NAT64', '64:ff9b::169.254.169.254'],
  ['local NAT64', '64:ff9b:1::a00:1'],
  ['6to4', '2002:7f00:1::'],
  ['6to4', '2002:a9fe:a9fe::1'],
  ['Teredo', '2001::1'],
  ['unique local', 'fd00::1'],
  ['link-local', 'fe80::1'],
  ['link-local with its interface', 'fe80::1%eth0'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff02::1'],
  ['discard', '100::1'],
  ['not given out', '4000::1'],
  ['of a cloud to its hosts', '168.63.129.16'],
  ['of a cloud to its hosts', '100.100.100.200'],
  ['of a cloud to its hosts', 'fd00:ec2::254'],
  ['no address', 'localhost'],
])('an address that is %s (%s) is none of the internet', (_, address) => expect(isPublicAddress(address)).toBe(false))

test.each(['8.8.8.8', '164.100.1.1', '2606:4700::1', '2405:8a00::1'])('%s is an address of the internet', (address) =>
  expect(isPublicAddress(address)).toBe(true),
)

test('a name that leads to a private address is refused when it is connected to, all of its addresses included', async () => {
  const answer = await new Promise((resolve) => {
    publicLookup('localhost', { all: true }, (error) => resolve(error))
  })
  expect(answer).toMatchObject({ code: 'SOURCE_UNREADABLE' })
})
