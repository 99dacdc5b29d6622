/** Arguments and options that are given but empty, as a script passes them when one of its variables is not set. */
import type { Command } from 'commander'
import { WrongUsage } from './wrong-usage.ts'

/** @throws WrongUsage: an empty ID names nothing, and an empty filter would leave out nothing. */
export function refuseEmpty(command: Command): void {
  const declared = command.registeredArguments
  const given = [
    ...command.args.map((value, at) => [`<${declared[Math.min(at, declared.length - 1)]?.name()}>`, value] as const),
    ...command.options.map((option) => [`${option.long}`, command.getOptionValue(option.attributeName())] as const),
  ]
  const empty = given.find(([, value]) => [value].flat().some((each) => typeof each === 'string' && each.trim() === ''))
  if (empty) throw new WrongUsage(`${empty[0]} is empty; it needs a value`)
}
