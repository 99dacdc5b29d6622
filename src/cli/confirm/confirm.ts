/** Shows what a command would destroy or close, and goes on where somebody says so or `--yes` did. */
import type { Db } from '../../db/db.ts'
import { visible } from '../../domain/visible.ts'
import { AppError } from '../../errors.ts'
import type { CommandContext } from '../settings.ts'
import { asks, canAsk } from './ask.ts'
import { loadFigures } from './confirmed-commands.ts'

/** Called with the command's database open, before its work. @throws AppError CONFIRMATION_REQUIRED */
export async function confirmCommand(context: CommandContext, db: Db): Promise<void> {
  const { invoked } = context
  if (!invoked || !mustAsk(context)) return
  const figures = await (await loadFigures(invoked.path))?.({ ...invoked, db })
  if (figures !== undefined) await confirm(context, figures)
}

/** @throws AppError CONFIRMATION_REQUIRED where the answer is no. */
export async function confirm(context: CommandContext, figures: string): Promise<void> {
  if (!mustAsk(context)) return
  if ((await asks(context, `${visible(figures, '\n')}\nGo on?`)) === true) return
  throw new AppError('CONFIRMATION_REQUIRED', 'Nothing was changed: the question was not answered with y.')
}

const mustAsk = (context: CommandContext): boolean => context.invoked?.options['yes'] !== true && canAsk(context)
