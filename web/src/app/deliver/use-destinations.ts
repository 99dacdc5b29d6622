/** The account's CRMs, as far as the signed-in person or key may read them. */
import { api } from '../../wire/api.ts'
import { useRead } from '../../wire/use-read.ts'
import { useMayRead } from '../account.ts'

export const useDestinations = () =>
  useRead(['destinations'], () => api.GET('/api/crm/destinations'), { enabled: useMayRead('deliver') })
