/**
 * pg-boss removes every listener from a connection that it gives up. A second error on that connection would then end
 * the process; PgBouncer sends one when the server behind it stops. So such a connection keeps one error listener.
 */
import pg from 'pg'

const given = new WeakSet<object>()

/** Idempotent. */
export function listenToAbandonedClients(): void {
  const clients = pg.Client.prototype
  if (given.has(clients)) return
  given.add(clients)
  const { removeAllListeners } = clients
  clients.removeAllListeners = function removeAllButOne(this: pg.Client, ...names: [(string | symbol)?]) {
    Reflect.apply(removeAllListeners, this, names)
    // The first error was reported when the connection was given up; later ones have no consequence.
    return names.length === 0 ? this.on('error', () => {}) : this
  }
}
