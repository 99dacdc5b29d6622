/** Salesforce's command line against its sandbox, command by command. */
import { describe, expect, test } from 'vitest'
import { cliCalls, cliElsewhere } from './salesforce-cli.ts'
import { cliIsThere, cliReason, useSalesforceCli } from './use-salesforce-cli.ts'

describe.skipIf(!cliIsThere)(`the Salesforce command line${cliReason}`, { timeout: 120_000 }, () => {
  const cli = useSalesforceCli()

  test.each(cliCalls)('sf $name is answered as by an org', async ({ run, gives }) => {
    expect(await run(cli())).toEqual(gives)
  })

  test('sf project deploy validate leaves the org as it was', async () => {
    const { name, run } = cliCalls.find((call) => call.name === 'project deploy validate') ?? { name: '' }
    expect(name).not.toBe('')
    const fields = async () =>
      JSON.stringify(await cli().sf('sobject', 'describe', '--target-org', 'box', '-s', 'Lead'))
    const before = await fields()
    await run?.(cli())
    expect(await fields()).toBe(before)
  })

  test.each(cliElsewhere)('sf $name is refused by name', async ({ run }) => {
    expect(await run(cli())).toMatchObject({ status: 1, message: expect.stringContaining('not in this sandbox') })
  })
})
