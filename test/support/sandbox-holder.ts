/** Starts the sandboxes as `panji start` does and waits to be killed. */
import { startSandboxProcess } from '../../sandboxes/process.ts'

const { controlUrl, controlToken } = await startSandboxProcess({ port: 0 })
process.stdout.write(`${JSON.stringify({ controlUrl, controlToken })}\n`)
setInterval(() => {}, 60_000)
