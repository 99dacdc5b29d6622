/** What a page shows stands in its address, so that a link to it shows the same, and back and forward work. */
import { useSearchParams } from 'wouter'

/** One parameter of the address. Another choice begins at the first page again. */
export function useAddressState(name: string, fallback = ''): readonly [string, (value: string) => void] {
  const [parameters] = useSearchParams()
  const change = useAddressChange()
  return [parameters.get(name) ?? fallback, (value) => change({ [name]: value === fallback ? '' : value })]
}

/** Changes several parameters in one step, which one step back undoes; an empty one goes. */
export function useAddressChange(): (values: Readonly<Record<string, string>>) => void {
  const [, setParameters] = useSearchParams()
  return (values) =>
    setParameters(() => {
      // As it is by now: what was rendered with may be older than another change of the same moment.
      const after = new URLSearchParams(location.search)
      if (!('page' in values)) for (const name of ['page', 'until']) after.delete(name)
      for (const [name, value] of Object.entries(values)) {
        if (value === '') after.delete(name)
        else after.set(name, value)
      }
      return after
    })
}

/** The order that the heads of a list ask its operation for: a member of its query where one is asked for. */
export function useSort<Sort extends string>(): { readonly sort?: Sort } {
  const [sort] = useAddressState('sort')
  // An address that somebody wrote by hand is answered for by the API.
  return sort === '' ? {} : { sort: sort as Sort }
}

/** As `useSort`, of a list that grows at its first page: the pages behind it are those that it had when somebody went on from there. */
export function useGrowing<Sort extends string>(): { readonly sort?: Sort; readonly until?: string } {
  const sort = useSort<Sort>()
  const [until] = useAddressState('until')
  return until === '' ? sort : { ...sort, until }
}

export function usePage(): readonly [number, (page: number) => void] {
  const [page, setPage] = useAddressState('page', '1')
  return [Math.max(1, Number(page) || 1), (next) => setPage(String(next))]
}
