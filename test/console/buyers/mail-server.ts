/** A mail server of this machine, for the links that Panji sends. */
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll } from 'vitest'

export interface MailServer {
  url(): string
  /** As they came, with the line breaks of their encoding taken out. */
  mails(): readonly string[]
}

/** Call at the top of a file. */
export function useMailServer(): MailServer {
  const mails: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData(stream, _, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        mails.push(Buffer.concat(chunks).toString('utf8').replaceAll('=\r\n', '').replaceAll('=3D', '='))
        done()
      })
    },
  })
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve())))
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return {
    url: () => `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails: () => mails,
  }
}
