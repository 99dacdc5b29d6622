import { z } from 'zod'
import { sources } from '../../../../config/sources/index.ts'
import { isRemote } from '../../../domain/bare-address.ts'
import { plainText } from '../../parameters.ts'

export const SourceName = z.enum(sources.map(({ name }) => name) as [string, ...string[]])

/** An address that is fetched; its credentials are sealed and shown to nobody. */
export const RemoteAddress = plainText(2_000).refine(
  (text) => isRemote(text) && URL.canParse(text),
  'must be an http: or https: address',
)
