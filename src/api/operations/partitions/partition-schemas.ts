import { z } from 'zod'
import { sources } from '../../../../config/sources/index.ts'
import { AppError } from '../../../errors.ts'

export const SourcePath = z.object({ source: z.string().meta({ description: 'Source', examples: ['mca-companies'] }) })

export const scopeName = z.string().describe('Partition of the register: a registrar, a state code, or *')

/** @throws AppError NOT_FOUND */
export function known(source: string): string {
  if (sources.some(({ name }) => name === source)) return source
  throw new AppError('NOT_FOUND', 'There is no such source.')
}
