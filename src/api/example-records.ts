/**
 * Records that the document's examples name. They are in the sample world of `npm start` on whatever day it is made, so
 * that a request of the reference page answers as it stands; `test/story/quickstart.test.ts` sends them there.
 */
export const exampleRecords = {
  cin: 'U29199GA2004PTC101555',
  companyName: 'Naveshmerix Lantern Electronics Private Limited',
  gstin: '30AJMPF7635D1ZJ',
  tradeName: 'Elanuchin and Wenla Management',
  din: '00000057',
} as const
