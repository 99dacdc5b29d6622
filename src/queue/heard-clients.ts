/**
 * The queue's library takes every listener off a connection that it gives up, and a second error of that connection, such as
 * PgBouncer sends behind the farewell of a server that stops, would end the process. So such a connection keeps one that hears it.
 */
import pg from 'pg'

const given = new WeakSet<object>()

/** Run twice it changes nothing. */
export function hearGivenUpClients(): void {
  const clients = pg.Client.prototype
  if (given.has(clients)) return
  given.add(clients)
  const { removeAllListeners } = clients
  clients.removeAllListeners = function removeAllButOne(this: pg.Client, ...names: [(string | symbol)?]) {
    Reflect.apply(removeAllListeners, this, names)
    // Whoever gave it up has told of the first error, and the next one concerns nobody.
    return names.length === 0 ? this.on('error', () => {}) : this
  }
}
