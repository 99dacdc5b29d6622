/**
 * Shows what a command would destroy or close, and continues after a yes at the terminal or with `--yes`. Without a
 * terminal `--yes` is required, so a script that was pasted, or that runs on the wrong instance, destroys nothing.
 */
import type { Db } from '../../db/db.ts'
import { visible } from '../../domain/visible.ts'
import { AppError } from '../../errors.ts'
import type { CommandContext } from '../settings.ts'
import { WrongUsage } from '../wrong-usage.ts'
import { asks } from './ask.ts'
import { loadFigures } from './confirmed-commands.ts'

/** Called with the command's database open, before its work. @throws AppError CONFIRMATION_REQUIRED, WrongUsage */
export async function confirmCommand(context: CommandContext, db: Db): Promise<void> {
  const { invoked } = context
  if (!invoked || isConfirmed(context)) return
  const figures = await (await loadFigures(invoked.path))?.({ ...invoked, db })
  if (figures !== undefined) await confirm(context, figures)
}

/** @throws AppError CONFIRMATION_REQUIRED where the answer is no, WrongUsage where there is no one to ask. */
export async function confirm(context: CommandContext, figures: string): Promise<void> {
  if (isConfirmed(context)) return
  const shown = visible(figures, '\n')
  const answer = await asks(context, `${shown}\nGo on?`)
  if (answer === undefined)
    throw new WrongUsage(
      `Nothing was changed: there is no terminal to ask at, so --yes is required. ${shown}`,
      'CONFIRMATION_REQUIRED',
    )
  if (!answer) throw new AppError('CONFIRMATION_REQUIRED', 'Nothing was changed: the question was not answered with y.')
}

/** By `--yes`: nothing needs to be shown. */
export const isConfirmed = (context: CommandContext): boolean => context.invoked?.options['yes'] === true
