// A real OpenID provider on this machine, for tests: the login typed becomes the person's e-mail address, verified
// unless it begins with "unverified". A program of its own, in the form in which its packages are documented.
import { createServer } from 'node:http'
import Provider from 'oidc-provider'

const [redirectUri] = process.argv.slice(2)
const server = createServer()
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'panji',
        client_secret: 'secret-of-the-client',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    pkce: { required: () => true },
    scopes: ['openid', 'email', 'profile'],
    claims: { email: ['email', 'email_verified'] },
    cookies: { keys: ['of the tests'] },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: id, email_verified: !id.startsWith('unverified') }),
    }),
  })
  server.on('request', provider.callback())
  console.log(JSON.stringify({ issuer }))
})
