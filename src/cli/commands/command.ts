/** What a command file exports: its declaration for the command line, and its action. */
import type { Command as Commander } from 'commander'
import type { CommandContext } from '../settings.ts'

/** Runs an action with the context of the global options; `declare` passes it to commander. */
export type RunAction = (action: (context: CommandContext) => Promise<void>) => Promise<void>

export type Declare = (program: Commander, run: RunAction) => void

/** The output with `--json`, as the help shows it after the options. */
export const prints = (shape: string): string => `\nPrints with --json: ${shape}`
