/** The states and union territories: their names, GST numbers, and places on the map. */

/** The tile's letters, the current GST state number, and the tile's column and row from 1. */
export const states: readonly (readonly [name: string, letters: string, code: string, column: number, row: number])[] =
  [
    ['Jammu and Kashmir', 'JK', '01', 3, 1],
    ['Ladakh', 'LA', '38', 4, 1],
    ['Punjab', 'PB', '03', 2, 2],
    ['Chandigarh', 'CH', '04', 3, 2],
    ['Himachal Pradesh', 'HP', '02', 4, 2],
    ['Haryana', 'HR', '06', 2, 3],
    ['Delhi', 'DL', '07', 3, 3],
    ['Uttarakhand', 'UK', '05', 4, 3],
    ['Sikkim', 'SK', '11', 7, 3],
    ['Arunachal Pradesh', 'AR', '12', 9, 3],
    ['Rajasthan', 'RJ', '08', 2, 4],
    ['Uttar Pradesh', 'UP', '09', 4, 4],
    ['Bihar', 'BR', '10', 5, 4],
    ['West Bengal', 'WB', '19', 6, 4],
    ['Assam', 'AS', '18', 8, 4],
    ['Nagaland', 'NL', '13', 9, 4],
    ['Gujarat', 'GJ', '24', 1, 5],
    ['Madhya Pradesh', 'MP', '23', 3, 5],
    ['Chhattisgarh', 'CG', '22', 4, 5],
    ['Jharkhand', 'JH', '20', 5, 5],
    ['Meghalaya', 'ML', '17', 8, 5],
    ['Manipur', 'MN', '14', 9, 5],
    ['Dadra and Nagar Haveli and Daman and Diu', 'DN', '26', 1, 6],
    ['Maharashtra', 'MH', '27', 2, 6],
    ['Telangana', 'TG', '36', 3, 6],
    ['Odisha', 'OD', '21', 5, 6],
    ['Tripura', 'TR', '16', 8, 6],
    ['Mizoram', 'MZ', '15', 9, 6],
    ['Goa', 'GA', '30', 1, 7],
    ['Karnataka', 'KA', '29', 2, 7],
    ['Andhra Pradesh', 'AP', '37', 3, 7],
    ['Lakshadweep', 'LD', '31', 1, 8],
    ['Kerala', 'KL', '32', 2, 8],
    ['Tamil Nadu', 'TN', '33', 3, 8],
    ['Puducherry', 'PY', '34', 4, 8],
    ['Andaman and Nicobar Islands', 'AN', '35', 6, 8],
  ]

export const stateNames: readonly string[] = states.map(([name]) => name).toSorted()

const byCode = new Map([...states.map(([name, , code]) => [code, name] as const), ['97', 'Other Territory']])

/** `Goa (30)`; a code no longer in use is shown as it is. */
export const placeOfSupply = (code: string): string => (byCode.has(code) ? `${byCode.get(code)} (${code})` : code)

/** As options, by name. */
export const placesOfSupply: readonly { readonly value: string; readonly label: string }[] = [...byCode]
  .map(([value, label]) => ({ value, label }))
  .toSorted((one, other) => one.label.localeCompare(other.label))
