import { z } from 'zod'
import { sources } from '../../../../config/sources/index.ts'
import { isRemote } from '../../../domain/bare-address.ts'
import { plainText } from '../../parameters.ts'

export const SourceName = z.enum(sources.map(({ name }) => name) as [string, ...string[]])

/** A URL to fetch; its credentials are sealed and never shown. */
export const RemoteAddress = plainText(2_000).refine(
  (text) => isRemote(text) && URL.canParse(text),
  'must be an http: or https: address',
)
