/**
 * The process in which `panji start` runs the sandbox CRMs: port and snapshot file are parameters, and what clients
 * need is printed as one line of JSON. It has no secret of Panji in its environment. It lives as long as its standard
 * input is open, so it ends with its parent, however that ends.
 */

import { paymentSandbox, sandboxes } from './index.ts'
import { startSandboxes } from './server.ts'

const [port = '0', snapshotFile] = process.argv.slice(2)
// Ctrl-C reaches the whole process group; the parent closes the input once its own calls have ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

const options = { port: Number(port), ...(snapshotFile === undefined ? {} : { snapshotFile }) }
const server = await startSandboxes([...sandboxes(), paymentSandbox()], options).catch((error: unknown) => {
  // The parent words the message for a port in use; any other error is printed as it is.
  const { code, syscall } = error as NodeJS.ErrnoException
  if (syscall !== 'listen') throw error
  process.stdout.write(`${JSON.stringify({ refused: code })}\n`)
  process.exit(1)
})
process.stdin.resume()
process.stdin.once('close', () => {
  void server.close().then(() => process.exit(0))
})
const settings = Object.fromEntries(server.crms.map((crm) => [crm, server.settings(crm)]))
const { processor } = server
const payments = processor === undefined ? undefined : { processor, settings: server.settings(processor) }
process.stdout.write(
  `${JSON.stringify({ settings, payments, control_url: server.controlUrl, control_token: server.controlToken })}\n`,
)
