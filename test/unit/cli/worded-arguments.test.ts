import { InvalidArgumentError } from 'commander'
import { expect, test } from 'vitest'
import { paiseArgument, reasonArgument, referenceArgument } from '../../../src/cli/commands/worded-arguments.ts'

test.each([reasonArgument, referenceArgument])(
  '$name takes words without the spaces around them, and no spaces alone',
  (read) => {
    expect(read(' asked by letter\t')).toBe('asked by letter')
    expect(() => read(' \t')).toThrow(InvalidArgumentError)
  },
)

test('rupees are read as paise, and no sum at all is refused in the words of the option', () => {
  expect(['590', '590.5', '0.01'].map(paiseArgument)).toEqual([59_000, 59_050, 1])
  for (const text of ['0', '0.00', '-5', '1.234', '₹5', '']) expect(() => paiseArgument(text)).toThrow(/rupees/)
})
