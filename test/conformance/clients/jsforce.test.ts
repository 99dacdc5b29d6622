/** jsforce against the Salesforce sandbox, call by call. */
import type jsforce from '@jsforce/jsforce-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSalesforceSandbox } from '../../../sandboxes/salesforce/sandbox.ts'
import { type RunningSandboxes, startSandboxes } from '../../../sandboxes/server.ts'
import { connect } from '../salesforce-org.ts'
import { jsforceCalls, jsforceElsewhere } from './jsforce.ts'

let server: RunningSandboxes
let org: jsforce.Connection

beforeAll(async () => {
  server = await startSandboxes([createSalesforceSandbox()], { port: 0 })
  org = await connect(server.settings('salesforce'))
})
afterAll(() => server.close())

test.each(jsforceCalls)('jsforce: $name is answered as by an org', async ({ run, gives }) => {
  expect(await run(org)).toEqual(gives)
})

test.each(jsforceElsewhere)('jsforce: $name is refused by name', async ({ run }) => {
  await expect(Promise.resolve(run(org))).rejects.toThrow(/not in this sandbox/)
})
