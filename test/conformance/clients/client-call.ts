/** A call of a vendor's own client, as somebody who knows the vendor writes it, and what an account answers. */
export interface ClientCall<Client> {
  readonly name: string
  /** Makes what it needs, so that calls hold in any order. */
  run(client: Client): PromiseLike<unknown>
  /** What comes back; matchers of the test runner may stand in it. */
  readonly gives: unknown
}

/** A call that no connector needs: the sandbox refuses it by name, with the status of a vendor that knows no such address. */
export interface CallElsewhere<Client> {
  readonly name: string
  run(client: Client): PromiseLike<unknown>
}
