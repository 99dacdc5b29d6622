/**
 * The process in which `panji start` runs the sandbox CRMs: port, snapshot file and the folder of Node's compile cache
 * are parameters, and what clients need is printed as one line of JSON. It has no secret of Panji in its environment.
 * It lives as long as its standard input is open, so it ends with its parent, however that ends.
 */
import { enableCompileCache } from 'node:module'

const [port = '0', snapshotFile = '', compiled = ''] = process.argv.slice(2)
// Before the rest is loaded: compiling it is almost half of the processor time of a start.
if (compiled !== '') enableCompileCache(compiled)
const { paymentSandbox, sandboxes } = await import('./index.ts')
const { startSandboxes } = await import('./server.ts')

// Ctrl-C reaches the whole process group; the parent closes the input once its own calls have ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

const options = { port: Number(port), ...(snapshotFile === '' ? {} : { snapshotFile }) }
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
