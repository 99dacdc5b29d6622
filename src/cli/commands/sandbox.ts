/** `panji sandbox`: runs only the sandbox CRMs, until Ctrl-C. The first line says how to reach them. */
import { once } from 'node:events'
import { listening } from '../faults/listen-fault.ts'
import { type Declare, prints } from './command.ts'
import { portArgument } from './number-arguments.ts'

export const declareSandbox: Declare = (program, run) => {
  program
    .command('sandbox')
    .description('run only the sandbox CRMs; the first line printed is the input for `destination add`')
    .addHelpText('after', prints('{<crm>: {settings}, …, control_url, control_token}'))
    .option('--port <port>', 'TCP port; 0 picks a free one', portArgument)
    .action((options: { port?: number }) =>
      run(async (context) => {
        const port = options.port ?? context.settings.sandboxPort
        const portName = options.port === undefined ? 'PANJI_SANDBOX_PORT' : '--port'
        const server = await listening({ host: '127.0.0.1', port, portName }, () => context.startSandboxes({ port }))
        const settings = Object.fromEntries(server.crms.map((crm) => [crm, { settings: server.settings(crm) }]))
        const control = { control_url: server.controlUrl, control_token: server.controlToken }
        context.out.line(JSON.stringify({ ...settings, ...control }))
        if (!context.signal.aborted) await once(context.signal, 'abort')
        await server.close()
      }),
    )
}
