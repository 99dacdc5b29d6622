/** Commands that destroy or close something take `--yes`, and ask on a terminal. */
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { operations } from '../../../src/api/operations/index.ts'
import { wordsOf } from '../../../src/cli/audit/command-audit.ts'
import { asks } from '../../../src/cli/confirm/ask.ts'
import { confirmedCommands } from '../../../src/cli/confirm/confirmed-commands.ts'
import { allCommands, buildProgram } from '../../../src/cli/program.ts'
import type { CommandContext } from '../../../src/cli/settings.ts'

/** Operations of operators that destroy, with the command that does the same; null: there is none. */
const commandOf: Readonly<Record<string, string | null>> = {
  undoIngestRun: 'undo',
  discardIngestRun: 'discard',
  cancelIngestRun: 'cancel',
  lowerScope: 'scope lower',
  suspendAccount: 'account suspend',
  revokeGrant: 'account revoke-grant',
  revokeAccountKey: 'account key revoke',
  removeAccountDestination: 'destination remove',
  removeSuppressions: 'suppress remove',
  refundOrder: 'order refund',
  refundPayment: 'payments refund',
  writeOffDebt: 'payments write-off',
  discardDeadLetters: 'jobs discard',
  removeSchedule: 'schedule remove',
  revokeOperator: 'operator revoke',
  removeAlertChannel: null,
}

const commands = allCommands(await buildProgram(async () => {}))
const takesYes = commands.filter(({ options }) => options.some(({ long }) => long === '--yes')).map(wordsOf)

test('every operation of operators that destroys has its command named here, and the command takes --yes', () => {
  const destructive = operations
    .filter(({ path, method, destructive: told }) => path.startsWith('/admin') && (method === 'DELETE' || told))
    .map(({ id }) => id)
    .filter((id) => !/Session/.test(id))
  expect(destructive.toSorted()).toEqual(Object.keys(commandOf).toSorted())
  for (const command of Object.values(commandOf)) if (command !== null) expect(takesYes).toContain(command)
})

test('--yes is taken by the commands that ask, migrate among them, and by no other', () => {
  expect(takesYes.toSorted()).toEqual([...confirmedCommands, 'migrate'].toSorted())
})

function terminal({ isTTY = true } = {}) {
  const input = Object.assign(new PassThrough(), { isTTY })
  const output = Object.assign(new PassThrough(), { isTTY })
  const stop = new AbortController()
  const context = { terminal: { input: () => input, output }, signal: stop.signal } as unknown as CommandContext
  return { input, output, stop, context }
}

test.each([
  ['y\r', true],
  ['YES\r', true],
  ['n\r', false],
  ['\r', false],
  ['\u0003', false],
  ['\u0004', false],
])('the keys %j answer %s', async (keys, answer) => {
  const { input, output, context } = terminal()
  const asked = asks(context, 'Go on?')
  input.write(keys)
  expect(await asked).toBe(answer)
  expect(String(output.read())).toContain('Go on? [y/N] ')
})

test('a signal and the end of the terminal answer no', async () => {
  const stopped = terminal()
  const asked = asks(stopped.context, 'Go on?')
  stopped.stop.abort()
  expect(await asked).toBe(false)
  expect(await asks(stopped.context, 'Go on?')).toBe(false)
  const ended = terminal()
  const last = asks(ended.context, 'Go on?')
  ended.input.end()
  expect(await last).toBe(false)
})

test('where there is no terminal nobody is asked', async () => {
  const { output, context } = terminal({ isTTY: false })
  expect(await asks(context, 'Go on?')).toBeUndefined()
  expect(output.read()).toBeNull()
})
