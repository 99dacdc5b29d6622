/** Why a server could not listen, as a sentence that names the deciding variable. */
import { AppError } from '../../errors.ts'

export interface Listening {
  readonly host: string
  readonly port: number
  /** Variables that set the port and the address. */
  readonly portName: string
  readonly hostName?: string
}

/** @returns the result of `listen`, or throws AppError LISTEN_FAILED. */
export async function listening<T>(at: Listening, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen()
  } catch (error) {
    const reason = reasonOf((error as NodeJS.ErrnoException).code, at)
    if (reason === undefined) throw error
    throw new AppError('LISTEN_FAILED', reason, { cause: error })
  }
}

function reasonOf(code: string | undefined, { host, port, portName, hostName }: Listening): string | undefined {
  const fix = `Set ${portName} to another port; 0 picks a free one.`
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is taken by another program (${portName}). ${fix}`
    case 'EACCES':
      return `This user may not listen on port ${port} of ${host} (${portName}). ${fix}`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return hostName === undefined ? undefined : `${host} is no address of this machine (${hostName}).`
    default:
      return undefined
  }
}
