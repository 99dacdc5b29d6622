/** Registrars as files of several years spell them: two to a lane. */
import type { Draw } from '../../../../support/draw.ts'

const places = (
  'Ahmedabad Bangalore Chandigarh Chennai Coimbatore Cuttack Delhi Ernakulam Goa Gwalior Hyderabad Jaipur Jammu Jharkhand ' +
  'Kanpur Kolkata Mumbai Patna Pondicherry Pune Shillong Uttarakhand Vijayawada Guwahati'
).split(' ')
export const lanesOfRegistrars = places.length / 2

const spellings: readonly ((place: string) => string)[] = [
  (place) => `ROC ${place}`,
  (place) => `ROC ${place.toUpperCase()}`,
  (place) => `RoC-${place}`,
]
export function drawRegistrar(draw: Draw, lane: number): string {
  if (draw.oneIn(40)) return ''
  const place = places[2 * lane + (draw.oneIn(5) ? 1 : 0)] ?? ''
  return (draw.of(spellings) ?? String)(place)
}
