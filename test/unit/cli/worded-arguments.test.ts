import { InvalidArgumentError } from 'commander'
import { expect, test } from 'vitest'
import { reasonArgument, referenceArgument } from '../../../src/cli/commands/worded-arguments.ts'

test.each([reasonArgument, referenceArgument])(
  '$name takes words without the spaces around them, and no spaces alone',
  (read) => {
    expect(read(' asked by letter\t')).toBe('asked by letter')
    expect(() => read(' \t')).toThrow(InvalidArgumentError)
  },
)
