/** What is declared of a type of event: what its receivers get, when it is told, and how long its e-mail waits. */
import type { z } from 'zod'

export interface EventDeclaration<Data extends z.ZodObject = z.ZodObject> {
  /** When it is told, as the end of "when …". */
  readonly when: string
  /** What a webhook gets as `data`; never a secret. */
  readonly data: Data
  /** As the document shows it. */
  readonly example: z.output<Data>
  /** Seconds that its e-mail waits for what belongs to it: what comes meanwhile joins it. */
  readonly mailWaitsSeconds: number
  /** A type that it ends: where the e-mail about that was not sent yet, nobody gets either. */
  readonly ends?: string
}

export const event = <Data extends z.ZodObject>(declared: EventDeclaration<Data>): EventDeclaration<Data> => declared
