/** What a command file exports: how it is declared on the command line, and what it does. */
import type { Command as Commander } from 'commander'
import type { CommandContext } from '../settings.ts'

/** Runs an action with the context that the global options make; `declare` hands it to commander. */
export type RunAction = (action: (context: CommandContext) => Promise<void>) => Promise<void>

export type Declare = (program: Commander, run: RunAction) => void

/** What a command prints with `--json`, as its help says it after the options. */
export const prints = (shape: string): string => `\nPrints with --json: ${shape}`
