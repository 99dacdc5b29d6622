/**
 * The 21 sections of the Harmonized System, each with its range of chapters. Chapter 98 is India's own and belongs to
 * XXI.
 */
export const hsnSections = [
  ['I', 1, 5],
  ['II', 6, 14],
  ['III', 15, 15],
  ['IV', 16, 24],
  ['V', 25, 27],
  ['VI', 28, 38],
  ['VII', 39, 40],
  ['VIII', 41, 43],
  ['IX', 44, 46],
  ['X', 47, 49],
  ['XI', 50, 63],
  ['XII', 64, 67],
  ['XIII', 68, 70],
  ['XIV', 71, 71],
  ['XV', 72, 83],
  ['XVI', 84, 85],
  ['XVII', 86, 89],
  ['XVIII', 90, 92],
  ['XIX', 93, 93],
  ['XX', 94, 96],
  ['XXI', 97, 98],
] as const satisfies readonly (readonly [section: string, from: number, to: number])[]
