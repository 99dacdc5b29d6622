/** What a form asks for is what the settings of its connector want: nothing that they do not know, and all that they need. */
import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { connectorsOf } from '../../../connectors/index.ts'
import { AppError } from '../../../src/errors.ts'

const connectors = connectorsOf('/tmp/nowhere')
const ways = connectors.flatMap(({ name, signIns = [], readSettings }) =>
  signIns.map((way) => ({ ...way, connector: name, readSettings })),
)
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
/** What a person would type into a field of that name; a word where it does not matter. */
const typed: Readonly<Record<string, string>> = {
  login_url: 'https://yours.my.salesforce.com',
  accounts_url: 'https://accounts.zoho.in',
  private_key: privateKey,
  portal_id: '12345',
}
const sampleOf = (field: string) => typed[field] ?? `a-value-of-${field}`

function faultsOf(read: () => unknown): string {
  try {
    read()
    return ''
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

test('every connector says how a form asks for its settings', () => {
  expect(connectors.filter(({ signIns = [] }) => signIns.length === 0).map(({ name }) => name)).toEqual([])
})

test.each(ways)('$connector, $label: what is asked for makes settings, alone and with what may stay empty', (way) => {
  const { fields, fixed, readSettings } = way
  const settings = (asked: typeof fields) => ({
    ...fixed,
    ...Object.fromEntries(asked.map(({ name }) => [name, sampleOf(name)])),
  })
  expect(faultsOf(() => readSettings(settings(fields)))).toBe('')
  expect(faultsOf(() => readSettings(settings(fields.filter(({ required }) => required))))).toBe('')
})

test.each(ways)(
  '$connector, $label: without one that is required the settings are refused, and secrets are hidden',
  (way) => {
    const { fields, fixed, readSettings } = way
    const required = fields.filter((field) => field.required)
    for (const missing of required) {
      const rest = required.filter((field) => field !== missing)
      const settings = { ...fixed, ...Object.fromEntries(rest.map(({ name }) => [name, sampleOf(name)])) }
      expect(
        faultsOf(() => readSettings(settings)),
        missing.name,
      ).not.toBe('')
    }
    const all = { ...fixed, ...Object.fromEntries(required.map(({ name }) => [name, sampleOf(name)])) }
    const secrets = fields.filter(({ kind }) => kind !== 'text').map(({ name }) => name)
    expect(readSettings(all).secretNames).toEqual(expect.arrayContaining(secrets.filter((name) => name in all)))
  },
)

const options = connectors.flatMap(({ name, options: fields = [], signIns = [], readSettings }) => {
  const [way] = signIns
  const required = way?.fields.filter((field) => field.required) ?? []
  const signedIn = { ...way?.fixed, ...Object.fromEntries(required.map((field) => [field.name, sampleOf(field.name)])) }
  return fields.map((field) => ({ connector: name, label: field.label, field, signedIn, readSettings }))
})

test.each(options)(
  '$connector, $label: begins with what stands where nobody chose, and takes each of its choices',
  (option) => {
    const { field, signedIn, readSettings } = option
    const held = (value?: unknown) =>
      readSettings({ ...signedIn, ...(value !== undefined && { [field.name]: value }) }).values[field.name]
    if (field.kind === 'rules') expect(held()).toBeUndefined()
    else expect(String(held() ?? '')).toBe(field.initial ?? '')
    expect(field.choices?.map(({ value }) => held(value))).toEqual(field.choices?.map(({ value }) => value))
    expect(readSettings(signedIn).secretNames).not.toContain(field.name)
  },
)
