/** Settings of a destination that are refused: each fault under the name of its member, in words, whatever came. */
import { describe, expect, test } from 'vitest'
import { parseSettings as exampleCsv } from '../../../connectors/example-csv/settings.ts'
import { parseSettings as hubspot } from '../../../connectors/hubspot/settings.ts'
import { parseSettings as salesforce } from '../../../connectors/salesforce/settings.ts'
import { parseSettings as zoho } from '../../../connectors/zoho/settings.ts'
import { AppError } from '../../../src/errors.ts'

const connectors = { 'example-csv': exampleCsv, hubspot, salesforce, zoho }
const ofTheValidator = /\b(expected|received|Invalid|Unrecognized|too (small|big)|NaN|undefined)\b/i

/** Nothing where the settings are taken. */
function refusal(parse: (settings: unknown) => unknown, settings: unknown): string {
  try {
    parse(settings)
    return ''
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

describe.each(Object.entries(connectors))('%s', (_name, parse) => {
  const members = [
    'auth',
    'login_url',
    'accounts_url',
    'client_id',
    'access_token',
    'ownership',
    'timeout_ms',
    'folder_secret',
    'what',
  ]
  const values = [5, 'x', '', true, null, [], {}, -1, 1.5, { a: 5 }, ['x']]

  test('every wrong value of every member is reported in our words, never in those of the schema library', () => {
    for (const settings of [...values, ...members.flatMap((name) => values.map((value) => ({ [name]: value })))]) {
      expect(refusal(parse, settings)).not.toMatch(ofTheValidator)
    }
  })
})

test.each([
  ['zoho', {}, 'client_id: missing'],
  ['zoho', { client_id: 5 }, 'client_id: must be a text'],
  ['zoho', { client_id: '' }, 'client_id: must have at least 1 character'],
  ['zoho', { portal: 1, b: 2 }, 'settings: unknown members "portal", "b"'],
  ['zoho', { timeout_ms: 5 }, 'timeout_ms: must be at least 50'],
  ['zoho', { triggers: 'maybe' }, 'triggers: must be one of off, on'],
  ['zoho', 5, 'settings: must be an object'],
  ['salesforce', {}, 'auth: must be one of jwt, client_credentials, refresh_token'],
] as const)('%s %j: %s', (name, settings, words) => {
  expect(refusal(connectors[name], settings)).toContain(words)
})
