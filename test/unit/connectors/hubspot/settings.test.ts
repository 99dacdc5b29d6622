import { describe, expect, test } from 'vitest'
import { readSettings } from '../../../../connectors/hubspot/settings.ts'
import { AppError } from '../../../../src/errors.ts'

function faultsOf(input: unknown): readonly string[] {
  try {
    readSettings(input)
    return []
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    expect(error.code).toBe('DESTINATION_INVALID')
    expect(JSON.stringify([error.message, error.extra])).not.toContain('s3cret')
    return error.extra['faults'] as readonly string[]
  }
}

describe('settings of a HubSpot destination', () => {
  test('a private-app token is enough, and is the secret', () => {
    const { values, secretNames, remoteAccount } = readSettings({ access_token: ' pat-na1-x ', portal_id: 77 })
    expect(values).toMatchObject({ access_token: 'pat-na1-x', base_url: 'https://api.hubapi.com' })
    expect(secretNames).toEqual(expect.arrayContaining(['access_token', 'client_secret', 'refresh_token']))
    expect(remoteAccount).toBe('hubspot:77')
  })

  test('what was read can be stored and read again', () => {
    const first = readSettings({
      access_token: 'pat',
      base_url: 'https://api.hubapi.com/',
      ownership: { name: 'always' },
    })
    expect(readSettings(JSON.parse(JSON.stringify(first.values)))).toEqual(first)
  })

  test('without a portal id the limiter is keyed by the credentials, which it does not show', () => {
    const { remoteAccount } = readSettings({ access_token: 'pat-s3cret' })
    expect(remoteAccount).toMatch(/^hubspot:[0-9a-f]{16}$/)
    expect(readSettings({ access_token: 'pat-s3cret' }).remoteAccount).toBe(remoteAccount)
    expect(readSettings({ access_token: 'pat-other' }).remoteAccount).not.toBe(remoteAccount)
  })

  test('all faults are named at once', () => {
    const faults = faultsOf({
      access_token: 'pat-s3cret',
      client_secret: 's3cret',
      portal_id: 'my s3cret portal',
      base_url: 'http://s3cret.example.com',
      timeout_ms: 0,
      ownership: { name: 'sometimes', nonsense: 'always' },
      token: 's3cret',
    }).join('\n')
    for (const part of [
      'access_token',
      'client_id',
      'refresh_token',
      'portal_id',
      'base_url',
      'timeout_ms',
      'ownership.name',
      'ownership.nonsense',
      'token',
    ])
      expect(faults).toContain(part)
  })

  test.each([null, 'pat', 7, [], {}])('%j is no settings', (input) => {
    expect(faultsOf(input).length).toBeGreaterThan(0)
  })

  test.each([
    'https://hubapi.com.evil.example',
    'https://evilhubapi.com',
    'http://api.hubapi.com',
    'https://user:s3cret@api.hubapi.com',
    'https://169.254.169.254',
    'http://127.0.0.1.nip.io',
    'file:///etc/passwd',
    'no url',
    'http://127.0.0.1:8081/hubspot',
    'http://[::1]:1/hubspot',
    'https://localhost',
    'https://app.hubapi.com',
    'https://api.hubapi.com:8443',
  ])('credentials are not sent to %s', (base_url) => {
    expect(faultsOf({ access_token: 'pat', base_url }).join()).toContain('base_url')
  })

  test.each(['https://api.hubapi.com', 'https://api-eu1.hubapi.com'])('%s may be the address', (base_url) => {
    expect(faultsOf({ access_token: 'pat', base_url })).toEqual([])
  })
})
