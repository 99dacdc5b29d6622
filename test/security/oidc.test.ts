/** Signing in at an OIDC provider, a real one: whom it lets in, and what of it is believed. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Secret } from '../../src/domain/secret.ts'
import { freshAddress, newCustomer, useApi } from '../support/api.ts'
import { useTestDatabase } from '../support/database.ts'
import { enterBy, invited, newPerson } from '../support/person.ts'
import { type NodeProcess, runNode } from '../support/run-node.ts'

const publicUrl = 'http://127.0.0.1:8080'
const database = useTestDatabase()
const provider = { child: undefined as NodeProcess | undefined, issuer: '' }
const oidc = {
  ...{ clientId: 'panji', clientSecret: new Secret('secret-of-the-client'), name: 'Example', publicUrl },
  // It is known once the provider has started, which is before the API.
  get issuer() {
    return provider.issuer
  },
}
beforeAll(async () => {
  const script = new URL('../support/oidc-provider-child.mjs', import.meta.url).pathname
  provider.child = runNode(script, [`${publicUrl}/app/oidc/callback`], {})
  provider.issuer = (JSON.parse(await provider.child.line('{')) as { issuer: string }).issuer
}, 60_000)
afterAll(async () => {
  provider.child?.child.kill('SIGINT')
  await provider.child?.ended
})
const without = useApi(database)
const api = useApi(database, [], { settings: { leadSource: 'Panji', onlineLabel: 'online', oidc } })

/** Cookies of one browser, by the place that set them. */
function browser() {
  const cookies = new Map<string, string>()
  const keep = (place: string, set: readonly string[]) => {
    for (const cookie of set) {
      const [pair = ''] = cookie.split(';')
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      cookies.set(`${place} ${name}`, value)
    }
  }
  const cookieFor = (place: string) =>
    [...cookies]
      .filter(([key]) => key.startsWith(`${place} `))
      .map(([key, value]) => `${key.slice(place.length + 1)}=${value}`)
      .join('; ')
  return {
    async panji(url: string) {
      const reply = await api.app.inject({
        url,
        headers: { cookie: cookieFor('panji') },
        remoteAddress: freshAddress(),
      })
      keep('panji', [reply.headers['set-cookie'] ?? []].flat())
      return reply
    },
    async provider(url: string, form?: Record<string, string>) {
      const reply = await fetch(new URL(url, provider.issuer), {
        redirect: 'manual',
        headers: { cookie: cookieFor('provider') },
        ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      })
      keep('provider', reply.headers.getSetCookie())
      return reply
    },
  }
}

/** What a person does at the provider: types a login, allows it, and is sent back. @returns where to. */
async function signInAtProvider(at: ReturnType<typeof browser>, url: string, login: string): Promise<string> {
  let reply = await at.provider(url)
  for (let step = 0; step < 10; step += 1) {
    const location = reply.headers.get('location')
    if (location?.startsWith(publicUrl)) return location.slice(publicUrl.length)
    if (location) {
      reply = await at.provider(location)
      continue
    }
    const page = await reply.text()
    const action = /action="([^"]+)"/.exec(page)?.[1] ?? ''
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? ''
    reply = await at.provider(action, prompt === 'login' ? { prompt, login, password: 'x' } : { prompt })
  }
  throw new Error('the provider did not send the browser back')
}

const begin = async (at: ReturnType<typeof browser>) => String((await at.panji('/app/oidc')).headers['location'])
async function signIn(login: string) {
  const at = browser()
  const back = await signInAtProvider(at, await begin(at), login)
  return { at, back, landed: String((await at.panji(back)).headers['location']) }
}
const codeIn = (landed: string) => /^\/app#code=([\w-]{43})$/.exec(landed)?.[1] ?? ''

test('whose verified address is a person’s signs in as that person, by the way that GET /app/sign-in names', async () => {
  const { accountId } = await newCustomer(api, database)
  const person = await newPerson(api, database, accountId, 'buyer')
  expect((await api.get('/app/sign-in')).json()).toMatchObject({ oidc: { name: 'Example', path: '/app/oidc' } })
  const { landed } = await signIn(person.email)
  const session = await enterBy(api, codeIn(landed))
  expect([session.statusCode, session.json()]).toMatchObject([
    201,
    { user_id: accountId, person: { person_id: person.personId, role: 'buyer' } },
  ])
  expect((await enterBy(api, codeIn(landed))).statusCode).toBe(401)
})

test('who is a person of several accounts is brought back with a code for each, beside the name of its account', async () => {
  const [first, second] = [await newCustomer(api, database), await newCustomer(api, database)]
  const { email } = await newPerson(api, database, first.accountId, 'buyer')
  await database.db.execute(
    `INSERT INTO access.person (account_id, email, name, role, joined_at) VALUES ($1, $2, 'Also here', 'viewer', now())`,
    [second.accountId, email],
  )
  const { landed } = await signIn(email)
  const said = new URLSearchParams(landed.replace('/app#', ''))
  expect([said.getAll('code').length, said.getAll('account').length]).toEqual([2, 2])
  const entered = await Promise.all(said.getAll('code').map(async (code) => (await enterBy(api, code)).json()))
  expect(entered).toMatchObject([{ user_id: first.accountId }, { user_id: second.accountId }])
})

test('an invited person joins by it while the invitation lasts; nobody else, and no address that was not verified, gets in', async () => {
  const { accountId } = await newCustomer(api, database)
  const { personId, email } = await invited(database, accountId, 'viewer')
  const { landed } = await signIn(email)
  expect((await enterBy(api, codeIn(landed))).json()).toMatchObject({ person: { person_id: personId } })
  const late = await invited(database, accountId, 'viewer')
  await database.db.execute(`UPDATE access.person SET invited_at = now() - interval '8 days' WHERE person_id = $1`, [
    late.personId,
  ])
  await database.db.execute(
    `INSERT INTO access.person (account_id, email, name, role, joined_at) VALUES ($1, 'unverified@example.com', 'U', 'admin', now())`,
    [accountId],
  )
  expect((await signIn(late.email)).landed).toBe('/app#refused=nobody')
  expect((await signIn('nobody@example.com')).landed).toBe('/app#refused=nobody')
  expect((await signIn('unverified@example.com')).landed).toBe('/app#refused=unverified')
})

test('a person is bound to the identity that signed in first: the address with another identity opens nothing', async () => {
  const { accountId } = await newCustomer(api, database)
  const person = await newPerson(api, database, accountId, 'admin')
  await signIn(person.email)
  await database.db.execute(
    `UPDATE access.person SET oidc_subject = 'who-had-the-address-before' WHERE person_id = $1`,
    [person.personId],
  )
  expect((await signIn(person.email)).landed).toBe('/app#refused=nobody')
})

test('what another browser began, a state that was changed, and a code that was used open nothing', async () => {
  const { accountId } = await newCustomer(api, database)
  const person = await newPerson(api, database, accountId, 'viewer')
  const victim = browser()
  await begin(victim)
  const attacker = browser()
  const back = await signInAtProvider(attacker, await begin(attacker), person.email)
  expect((await victim.panji(back)).headers['location']).toBe('/app#refused=failed')
  expect((await browser().panji(back)).headers['location']).toBe('/app#refused=failed')
  const changed = await attacker.panji(back.replace(/state=[\w-]+/, `state=${'A'.repeat(43)}`))
  expect(changed.headers['location']).toBe('/app#refused=failed')
  const { at, back: used } = await signIn(person.email)
  expect((await at.panji(used)).headers['location']).toMatch(/^\/app#refused=(failed|away)$/)
  const asked = new URL(await begin(browser()))
  expect(Object.fromEntries(asked.searchParams)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    redirect_uri: `${publicUrl}/app/oidc/callback`,
    scope: 'openid email profile',
  })
})

test('of another issuer nothing is believed, and where no provider is set up there is no such way', async () => {
  const { createProvider } = await import('../../src/access/oidc/provider.ts')
  const elsewhere = { ...oidc, issuer: `${provider.issuer}/` }
  await expect(createProvider(elsewhere)()).rejects.toMatchObject({ code: 'OIDC_UNAVAILABLE' })
  expect((await without.get('/app/sign-in')).json()).toMatchObject({ oidc: null })
  expect((await without.get('/app/oidc')).headers['location']).toBeUndefined()
})
