/** The three feeds, read page by page, and the places that the registrations of these tests lie in. */
import { expect } from 'vitest'
import type { EntityType } from '../../../src/domain/identity.ts'
import type { LoggedIn, TestApi } from '../../support/api.ts'

export const states = ['Goa', 'Kerala', 'Punjab', 'Tamil Nadu']
export const districts = ['North Goa', 'Ernakulam', 'Ludhiana', 'Chennai']
export const pincodes = ['403001', '682001', '141001', '600001']

export const feeds = {
  company: { path: '/api/recently-registered/companies', id: 'CIN' },
  director: { path: '/api/recently-registered/directors', id: 'DIN' },
  gst: { path: '/api/recently-registered/gst', id: 'GSTIN' },
} as const

/** All pages of a feed, and the total that every page told. */
export const useFeedReader = (api: TestApi) =>
  async function readAll(customer: LoggedIn, dataset: EntityType, body: object = {}) {
    const { path, id } = feeds[dataset]
    const ids: string[] = []
    for (let page = 1; ; page++) {
      const reply = await api.post(path, customer.token, { ...body, page, limit: 37 })
      expect(reply.statusCode).toBe(200)
      const { data, total, access } = reply.json()
      ids.push(...data.map((record: Record<string, string>) => record[id]))
      if (data.length < 37) return { ids, total, access }
    }
  }
