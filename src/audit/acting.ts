/**
 * From where somebody acts: kept for the length of a request or a command, so that each row of the audit log which is
 * written meanwhile, however deep, says with which credential, by which operation and from which address.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

export interface Acting {
  /** Id of the API key or operator, `environment`, or the user of the machine; told late where the call is a login. */
  credential: string | null
  /** operationId of the API, or `panji approve`. */
  readonly operation: string
  /** One spelling of it; null at the command line. */
  readonly address: string | null
  /** What for, where the operation alone does not say: `order <id>`. */
  readonly reason?: string | undefined
  /** What shows the database that an operator's credential was presented; told late where the call is a sign-in. */
  proof?: string | undefined
  /** Rows of the audit log that were written so far. */
  written: number
}

const storage = new AsyncLocalStorage<Acting>()

export const actingNow = (): Acting | undefined => storage.getStore()
export const actAs = <T>(acting: Acting, work: () => T): T => storage.run(acting, work)
