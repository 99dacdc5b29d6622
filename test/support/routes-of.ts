/** Some operations as the routes of a server that has no others. */
import type { Operation } from '../../src/api/operation.ts'
import { registerOperations } from '../../src/api/register-operations.ts'
import type { Routes } from '../../src/api/route-context.ts'
import type { ServerContext } from '../../src/api/server-context.ts'

/** The operations given do not use what the context of a bare server lacks. */
export const routesOf =
  (operations: readonly Operation[]): Routes =>
  async (app, context) =>
    registerOperations(app, operations, () => Object.assign({ registers: context.db }, context) as ServerContext)
