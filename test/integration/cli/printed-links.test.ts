/** Links that commands print for people lead to the address under which browsers reach this Panji. */
import { afterAll, expect, test } from 'vitest'
import { useTestDatabase } from '../../support/database.ts'
import { panjiHome } from '../../support/panji-cli.ts'
import { panjiProgram } from '../../support/panji-program.ts'

const database = useTestDatabase()
const home = panjiHome()
afterAll(() => home.remove())
const panji = (env: Readonly<Record<string, string>>) =>
  panjiProgram({
    PANJI_DATA_DIR: home.dataDir,
    DATABASE_URL: database.url,
    PANJI_SECRET_KEY: 'secret-key-of-printed-links-0123456789',
    ...env,
  })

test.each([
  { env: { PANJI_PUBLIC_URL: 'https://panji.example.in' }, origin: 'https://panji.example.in' },
  { env: { HOST: '::1', PORT: '4711' }, origin: 'http://[::1]:4711' },
])('links lead to $origin', async ({ env, origin }) => {
  const email = `${new URL(origin).port || 'public'}@example.com`
  await panji(env).json('account', 'create', '--email', email)
  for (const words of [
    ['account', 'invite', email, `ravi-${email}`],
    ['account', 'link', email, `ravi-${email}`],
  ])
    expect(await panji(env).json(...words)).toMatchObject({
      code: 0,
      answer: { link: expect.stringContaining(`${origin}/app#code=`) },
    })
  expect(await panji(env).json('open')).toMatchObject({ code: 0, answer: { console_url: `${origin}/console` } })
})
