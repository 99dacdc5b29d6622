/**
 * Records in the document's examples. They are in the sample world of `npm start` whenever it is generated, so that the
 * example requests of the reference page work unchanged; `test/story/quickstart.test.ts` sends them.
 */
export const exampleRecords = {
  cin: 'U29199GA2004PTC101555',
  companyName: 'Naveshmerix Lantern Electronics Private Limited',
  gstin: '30AJMPF7635D1ZJ',
  tradeName: 'Elanuchin and Wenla Management',
  din: '00000057',
  dayOfRegister: '2026-06-30',
} as const

/** IDs that look like the caller's own; they belong to no one. */
export const exampleIds = {
  account: '216e4b5d-0921-401e-a1cf-0b39a70e0a21',
  order: '5b1d3f0a-8c1e-4f43-9a5e-7d0b6f2c4e11',
  screener: '0e7c2f9b-3d64-4a0a-8b57-1c9f5e2d7a32',
  watchlist: 'c4a8e6d2-7b15-4e9c-a3f0-6d2b8f1e5c43',
  session: 'd3b07384-9a1c-4f6e-8b25-5e7f1c0a9d46',
  person: '3f0f1c52-8a55-4c9e-9c5a-51b3c1d4a6d0',
  keyPrefix: 'panji_8Qx2',
  destination: '7f3e9d15-2c48-4b6a-9e07-5a1d8c4f3b62',
  delivery: '9b2d6c71-4e8f-4a35-b1d0-3c7e5f9a2d84',
  webhook: '3d8e5a71-9c2f-4b06-8e4d-6f1a0b7c5e93',
  event: 'a6f0c3d8-5b1e-4729-9d84-2e7c6b9f1a50',
  upload: 'c3f5960b-8ae0-46df-8792-898c9520ed64',
  offer: 'recent-gst-trial-7',
} as const
