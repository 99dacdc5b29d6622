/** Where the sample world takes payments: by the box that the start kept, under the settings of the environment. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { sampleSeller } from '../../../config/seller.ts'
import { paymentSettings } from '../../../src/cli/start/payment-settings.ts'
import { forgetSample, keepSampleFile } from '../../../src/cli/start/sample-file.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'panji-payment-settings-'))
afterAll(() => rmSync(dataDir, { recursive: true }))

test('a payment of the sample world that is charged back holds its account as one of a processor does, and none is taken once the sample is gone', () => {
  const payments = { key_id: 'rzp_test', key_secret: 'a', webhook_secret: 'b', base_url: 'http://127.0.0.1:1' }
  const given = { razorpay: undefined, seller: undefined, dataDir }
  expect(paymentSettings({ ...given, disputeHold: 'lost' })).toBeUndefined()
  keepSampleFile(dataDir, { payments })
  for (const disputeHold of ['off', 'opened', 'lost'] as const) {
    expect(paymentSettings({ ...given, disputeHold })).toMatchObject({ disputeHold, seller: sampleSeller })
  }
  forgetSample(dataDir)
  expect(paymentSettings({ ...given, disputeHold: 'lost' })).toBeUndefined()
})
