import { resolve } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../../src/errors.ts'
import { readEnv } from '../../../src/settings/env.ts'

const secrets = {
  DATABASE_URL: 'postgresql://panji:very-secret-password@db.example/panji',
  PANJI_SECRET_KEY: 'very-secret-key-of-panji',
  PANJI_OPERATOR_TOKEN: 'very-secret-operator-token',
}

function refusal(source: Record<string, string | undefined>): AppError {
  try {
    readEnv(source)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('the environment was accepted')
}

describe('the environment', () => {
  test('takes an absolute folder for deliveries, and none that depends on where a process was started', () => {
    expect(readEnv({ PANJI_CSV_DELIVERY_DIR: '/srv/leads' }).PANJI_CSV_DELIVERY_DIR).toBe('/srv/leads')
    expect(readEnv({}).PANJI_CSV_DELIVERY_DIR).toBeUndefined()
    expect(refusal({ PANJI_CSV_DELIVERY_DIR: 'leads' }).message).toContain(
      'PANJI_CSV_DELIVERY_DIR: must be an absolute path',
    )
  })

  test('may be empty: every variable has a default or is optional', () => {
    expect(readEnv({})).toMatchObject({
      PORT: 8080,
      HOST: '127.0.0.1',
      PANJI_DATA_DIR: resolve('.panji'),
      PANJI_SAMPLE: 'auto',
      PANJI_SANDBOX_PORT: 8081,
      PANJI_TRUSTED_PROXIES: [],
    })
  })

  test('treats a variable that is set to nothing as unset', () => {
    expect(readEnv({ PORT: '', DATABASE_URL: '', PANJI_SECRET_KEY: '' })).toEqual(readEnv({}))
  })

  test('names a variable that nobody reads and what was meant, and leaves those of other programs alone', () => {
    expect(refusal({ PANJI_SAMPEL: 'off', PANJI_OPERATORS_TOKEN: 'x' }).message).toBe(
      'The configuration has 2 faults:\n  PANJI_SAMPEL: is not a variable of Panji; PANJI_SAMPLE is\n  PANJI_OPERATORS_TOKEN: is not a variable of Panji; PANJI_OPERATOR_TOKEN is',
    )
    expect(readEnv({ PANJI_SAMPEL: '', PANJI_API_KEY: 'x', PANJI_TESTS: 'x', PORTS: '1' })).toEqual(readEnv({}))
  })

  test('names the seller whole or not at all, by a GSTIN that is one', () => {
    const seller = { PANJI_SELLER_NAME: 'Asha Data LLP', PANJI_SELLER_ADDRESS: 'Margao' }
    expect(refusal(seller).message).toContain('PANJI_SELLER_GSTIN')
    expect(refusal({ ...seller, PANJI_SELLER_GSTIN: '27AAPFU0939F1ZX' }).message).toContain('must be a GSTIN')
    expect(readEnv({ ...seller, PANJI_SELLER_GSTIN: '27AAPFU0939F1ZV' })).toMatchObject({ PANJI_SELLER_SAC: '998439' })
  })

  test('is read as the types that the program uses, and cannot be changed afterwards', () => {
    const env = readEnv({ PORT: '0', PANJI_ALLOW_PRIVATE_SOURCES: 'true', PANJI_TRUSTED_PROXIES: '10.0.0.1, 10.0.0.2' })
    expect(env).toMatchObject({
      PORT: 0,
      PANJI_ALLOW_PRIVATE_SOURCES: true,
      PANJI_TRUSTED_PROXIES: ['10.0.0.1', '10.0.0.2'],
    })
    expect(Object.isFrozen(env)).toBe(true)
  })

  test('reads named operators and origins, and refuses what could not be meant without repeating a token', () => {
    const env = readEnv({
      PANJI_OPERATORS: 'asha:token-of-asha-123456, ravi:token:of:ravi-123456',
      PANJI_CORS_ORIGINS: 'https://app.example.in, http://localhost:3000',
    })
    expect(env.PANJI_OPERATORS.map(({ name, token }) => [name, token.reveal()])).toEqual([
      ['asha', 'token-of-asha-123456'],
      ['ravi', 'token:of:ravi-123456'],
    ])
    expect(env.PANJI_CORS_ORIGINS).toEqual(['https://app.example.in', 'http://localhost:3000'])
    const asha = 'asha:token-of-asha-123456'
    for (const text of ['token-without-a-name-1', 'asha:short', `${asha},${asha}`, 'default:token-123456789']) {
      const { message } = refusal({ PANJI_OPERATORS: text })
      expect(message).toContain('PANJI_OPERATORS')
      expect(message).not.toMatch(/token-|short/)
    }
    for (const text of ['*', 'app.example.in', 'https://app.example.in/path', 'https://app.example.in/']) {
      expect(refusal({ PANJI_CORS_ORIGINS: text }).message).toContain('PANJI_CORS_ORIGINS')
    }
  })

  test('reports all its faults at once, each under its name', () => {
    const { code, message } = refusal({
      PORT: '70000',
      PANJI_SANDBOX_PORT: 'eighty',
      PANJI_SAMPLE: 'maybe',
      DATABASE_URL: 'mysql://db.example/panji',
      PANJI_OPERATOR_TOKEN: 'short',
      LOG_LEVEL: 'loud',
    })
    expect(code).toBe('CONFIG_INVALID')
    const named = [...message.matchAll(/^ {2}([A-Z_]+): ./gm)].map(([, name]) => name)
    expect(named.sort()).toEqual([
      'DATABASE_URL',
      'LOG_LEVEL',
      'PANJI_OPERATOR_TOKEN',
      'PANJI_SAMPLE',
      'PANJI_SANDBOX_PORT',
      'PANJI_SECRET_KEY',
      'PORT',
    ])
    expect(message).toContain('7 faults')
  })

  test('takes an address or a name to listen on, and refuses what is neither beside all other faults', () => {
    for (const host of ['0.0.0.0', '::1', 'fe80::1%eth0', 'localhost', 'panji-api.internal', 'büro.local', 'api_1']) {
      expect(readEnv({ HOST: host, PANJI_PROBE_HOST: host })).toMatchObject({ HOST: host, PANJI_PROBE_HOST: host })
    }
    for (const host of ['two words', 'localhost:80', '[::1]', '999.1.1.1', '0.0.0.0/0', 'http://localhost', 'a..b']) {
      const { message } = refusal({ HOST: host, PANJI_PROBE_HOST: host, PORT: '70000' })
      expect(message).toContain('3 faults')
      expect(message).toContain('HOST: must be an IP address or a host name, without a port')
    }
  })

  test('needs a secret key of its own beside a database of its own', () => {
    expect(refusal({ DATABASE_URL: secrets.DATABASE_URL }).message).toContain('PANJI_SECRET_KEY')
    expect(readEnv({ DATABASE_URL: secrets.DATABASE_URL, PANJI_SECRET_KEY: secrets.PANJI_SECRET_KEY }).PORT).toBe(8080)
  })

  test('ignores blanks around tokens and secrets, and none of a key that something is encrypted with', () => {
    const [token, key] = ['very-secret-operator-token', 'very-secret-key-of-panji\n']
    const env = readEnv({
      ...{ PANJI_OPERATOR_TOKEN: `${token}\n`, PANJI_METRICS_TOKEN: ` ${token}\r\n` },
      ...{ PANJI_SECRET_KEY: key, PANJI_SECRET_KEY_NEXT: ` ${key}` },
      ...{ PANJI_RAZORPAY_KEY_ID: 'rzp_live_1', PANJI_RAZORPAY_KEY_SECRET: `${token}\n`, PANJI_CREDIT_PAISE: '100' },
      ...{ PANJI_RAZORPAY_WEBHOOK_SECRET: `${token}\n`, PANJI_RAZORPAY_WEBHOOK_SECRET_OLD: `\t${token}` },
    })
    for (const each of [
      ...[env.PANJI_OPERATOR_TOKEN, env.PANJI_METRICS_TOKEN, env.PANJI_RAZORPAY_KEY_SECRET],
      ...[env.PANJI_RAZORPAY_WEBHOOK_SECRET, env.PANJI_RAZORPAY_WEBHOOK_SECRET_OLD],
    ])
      expect(each?.reveal()).toBe(token)
    expect(env.PANJI_SECRET_KEY?.reveal()).toBe(key)
    expect(env.PANJI_SECRET_KEY_NEXT?.reveal()).toBe(` ${key}`)
    expect(refusal({ PANJI_OPERATOR_TOKEN: `short${' '.repeat(20)}` }).message).toContain(
      'PANJI_OPERATOR_TOKEN: must have at least 16 characters',
    )
  })

  test('never shows a secret: not when printed, not as JSON, not in a fault', () => {
    const env = readEnv(secrets)
    expect(env.DATABASE_URL?.reveal()).toBe(secrets.DATABASE_URL)
    for (const shown of [inspect(env, { depth: 9 }), JSON.stringify(env), `${env.PANJI_SECRET_KEY}`]) {
      expect(shown).not.toContain('very-secret')
      expect(shown).toContain('[hidden]')
    }
    const tooShort = {
      PANJI_SECRET_KEY: 'hush-hush',
      PANJI_OPERATOR_TOKEN: 'psst',
    }
    const wrongUrl = { ...tooShort, DATABASE_URL: 'mysql://panji:hush-hush@db.example/panji' }
    const shown = inspect(refusal(wrongUrl), { depth: 9 })
    for (const value of Object.values(wrongUrl)) expect(shown).not.toContain(value)
    expect(shown).not.toContain('hush-hush')
  })
})
