/** The states as invoices and GSTINs number them; those that returns take no longer are left out. */

const byCode = new Map(
  [
    ...['01 Jammu and Kashmir', '02 Himachal Pradesh', '03 Punjab', '04 Chandigarh', '05 Uttarakhand', '06 Haryana'],
    ...['07 Delhi', '08 Rajasthan', '09 Uttar Pradesh', '10 Bihar', '11 Sikkim', '12 Arunachal Pradesh'],
    ...['13 Nagaland', '14 Manipur', '15 Mizoram', '16 Tripura', '17 Meghalaya', '18 Assam', '19 West Bengal'],
    ...['20 Jharkhand', '21 Odisha', '22 Chhattisgarh', '23 Madhya Pradesh', '24 Gujarat'],
    ...['26 Dadra and Nagar Haveli and Daman and Diu', '27 Maharashtra', '29 Karnataka', '30 Goa', '31 Lakshadweep'],
    ...['32 Kerala', '33 Tamil Nadu', '34 Puducherry', '35 Andaman and Nicobar Islands', '36 Telangana'],
    ...['37 Andhra Pradesh', '38 Ladakh', '97 Other Territory'],
  ].map((line) => [line.slice(0, 2), line.slice(3)] as const),
)

/** `Goa (30)`; a code of former years stays as it is. */
export const placeOfSupply = (code: string): string => (byCode.has(code) ? `${byCode.get(code)} (${code})` : code)

/** For a choice, by name. */
export const placesOfSupply: readonly { readonly value: string; readonly label: string }[] = [...byCode]
  .map(([value, label]) => ({ value, label }))
  .toSorted((one, other) => one.label.localeCompare(other.label))
