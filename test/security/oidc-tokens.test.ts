/** What a provider may say and is not believed: a token that is not signed by it, for this Panji and for this browser. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newBrowserSecret, nonceOf, stateOf } from '../../src/access/oidc/browser-secret.ts'
import { createProvider } from '../../src/access/oidc/provider.ts'
import { identify } from '../../src/access/oidc/sign-in-flow.ts'
import { Secret } from '../../src/domain/secret.ts'

const own = await generateKeyPair('ES256')
const others = await generateKeyPair('ES256')
const answers: Record<string, object> = {}
const server = createServer((request, response) => {
  const answer = answers[request.url ?? '']
  response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' })
  response.end(JSON.stringify(answer ?? {}))
})
let issuer = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  answers['/.well-known/openid-configuration'] = {
    ...{
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
    },
    authorization_response_iss_parameter_supported: true,
  }
  answers['/keys'] = { keys: [await exportJWK(own.publicKey)] }
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const browser = newBrowserSecret()
const good = () => ({
  ...{
    iss: issuer,
    aud: 'panji',
    sub: 'asha',
    nonce: nonceOf(browser),
    email: 'asha@example.in',
    email_verified: true,
  },
  ...{ iat: Math.floor(Date.now() / 1000), exp: Math.floor(Date.now() / 1000) + 300 },
})
const signed = (claims: JWTPayload, key = own.privateKey) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'ES256' }).sign(key)

async function told(idToken: string, back: { readonly state?: string; readonly iss?: string | undefined } = {}) {
  answers['/token'] = { id_token: idToken }
  const settings = {
    issuer,
    clientId: 'panji',
    clientSecret: new Secret('secret'),
    name: 'X',
    publicUrl: 'http://localhost',
  }
  const cameBack = { secret: browser, state: stateOf(browser), code: 'code', iss: issuer, ...back }
  return identify(settings, await createProvider(settings)(), cameBack)
}

test('a token that the provider signed for this Panji and this browser names the person', async () => {
  expect(await told(await signed(good()))).toEqual({ issuer, subject: 'asha', email: 'asha@example.in' })
  expect(await told(await signed({ ...good(), email_verified: false }))).toMatchObject({ email: undefined })
})

test.each([
  ['as text', { email_verified: 'true' }, true],
  ['as Entra does, by the owner of its domain', { email_verified: undefined, xms_edov: true }, true],
  ['as Entra does, in a number', { email_verified: undefined, xms_edov: '1' }, true],
  ['not, as Entra does', { email_verified: undefined, xms_edov: '0' }, false],
  ['not, whatever of its domain', { email_verified: 'false', xms_edov: true }, false],
  ['neither', { email_verified: undefined }, false],
])('an address that is told to be verified %s', async (_, claims, isVerified) => {
  expect(await told(await signed({ ...good(), ...claims }))).toMatchObject({
    email: isVerified ? 'asha@example.in' : undefined,
  })
})

const wrong: Readonly<Record<string, () => Promise<string>>> = {
  'of another key': () => signed(good(), others.privateKey),
  'of another issuer': () => signed({ ...good(), iss: 'https://elsewhere.example' }),
  'for another client': () => signed({ ...good(), aud: 'another' }),
  'handed on by another client': () => signed({ ...good(), aud: ['panji', 'another'], azp: 'another' }),
  'of another browser': () => signed({ ...good(), nonce: nonceOf(newBrowserSecret()) }),
  'without a nonce': () => signed({ ...good(), nonce: undefined }),
  'that has expired': () => signed({ ...good(), exp: Math.floor(Date.now() / 1000) - 120 }),
  'with no signature': async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    return `${part({ alg: 'none' })}.${part(good())}.`
  },
  'signed with the secret of the client': () =>
    new SignJWT(good()).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from('secret'.repeat(8))),
}

test.each(Object.entries(wrong))('a token %s is refused', async (_, make) => {
  await expect(told(await make())).rejects.toMatchObject({ code: 'OIDC_REFUSED' })
})

test('a way back with another state, or from another issuer or none where the provider names itself, is refused', async () => {
  const token = await signed(good())
  for (const back of [
    { state: stateOf(newBrowserSecret()) },
    { state: '' },
    { iss: undefined },
    { iss: 'https://elsewhere.example' },
  ])
    await expect(told(token, back)).rejects.toMatchObject({ code: 'OIDC_REFUSED' })
})
