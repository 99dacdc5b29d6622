/** The declaration of an event type: what its receivers get, when it is sent, and how long its e-mail waits. */
import type { z } from 'zod'

export interface EventDeclaration<Data extends z.ZodObject = z.ZodObject> {
  /** When it is sent, as the end of "when …". */
  readonly when: string
  /** What a webhook gets as `data`; never a secret. */
  readonly data: Data
  /** As the document shows it. */
  readonly example: z.output<Data>
  /** Seconds that its e-mail waits for related events, which join it. */
  readonly mailWaitsSeconds: number
  /** An event type that this one ends: its pending e-mail is cancelled, and this one's too if that was never attempted. */
  readonly ends?: string
  /** True if its e-mail is also sent while the account is suspended, because it is about the account's money. */
  readonly isAboutMoney?: boolean
}

export const event = <Data extends z.ZodObject>(declared: EventDeclaration<Data>): EventDeclaration<Data> => declared
