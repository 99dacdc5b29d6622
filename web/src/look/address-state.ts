/** Page state kept in the address, so that links reproduce the page, and back and forward work. */
import { useSearchParams } from 'wouter'

type Change = (values: Readonly<Record<string, string>>) => void

/** One parameter of the address. Changing it returns to the first page. */
export const useAddressState = (name: string, fallback = '') => useParameter(name, fallback, useAddressChange())

/** One that changes no list, such as its columns, or what is shown next to it: the list stays at its page. */
export const useAddressDetail = (name: string, fallback = '') => useParameter(name, fallback, useChange(true))

function useParameter(name: string, fallback: string, change: Change): readonly [string, (value: string) => void] {
  const [parameters] = useSearchParams()
  return [parameters.get(name) ?? fallback, (value) => change({ [name]: value === fallback ? '' : value })]
}

/** Changes several parameters in one history entry; an empty one is removed. */
export const useAddressChange = (): Change => useChange(false)

function useChange(keepsPage: boolean): Change {
  const [, setParameters] = useSearchParams()
  return (values) =>
    setParameters(() => {
      // The current address: the rendered one may be older than another change in the same tick.
      const after = new URLSearchParams(location.search)
      if (!keepsPage && !('page' in values)) for (const name of ['page', 'until']) after.delete(name)
      for (const [name, value] of Object.entries(values)) {
        if (value === '') after.delete(name)
        else after.set(name, value)
      }
      return after
    })
}

/** The sort order that a list's operation takes: its `sort` parameter, if one is set. */
export function useSort<Sort extends string>(): { readonly sort?: Sort } {
  const [sort] = useAddressState('sort')
  // An address edited by hand is answered by the API.
  return sort === '' ? {} : { sort: sort as Sort }
}

/** Like `useSort`, for a list that grows at its start: later pages stay as they were when paging began. */
export function useGrowing<Sort extends string>(): { readonly sort?: Sort; readonly until?: string } {
  const sort = useSort<Sort>()
  const [until] = useAddressState('until')
  return until === '' ? sort : { ...sort, until }
}

export function usePage(): readonly [number, (page: number) => void] {
  const [page, setPage] = useAddressState('page', '1')
  return [Math.max(1, Number(page) || 1), (next) => setPage(String(next))]
}
