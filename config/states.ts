/**
 * The states and union territories: the one spelling that Panji answers with, and every other that sources write.
 * Registrar letters are those of a CIN; codes are those that begin a GSTIN.
 */
export interface State {
  readonly name: string
  readonly gstCodes: readonly string[]
  readonly registrarLetters: readonly string[]
  readonly aliases: readonly string[]
}

const state = (name: string, gstCodes: string, registrarLetters: string, aliases: readonly string[] = []): State => ({
  name,
  gstCodes: gstCodes.split(' ').filter(Boolean),
  registrarLetters: registrarLetters.split(' ').filter(Boolean),
  aliases,
})

export const states: readonly State[] = [
  state('Jammu and Kashmir', '01', 'JK', ['J&K', 'Jammu']),
  state('Himachal Pradesh', '02', 'HP'),
  state('Punjab', '03', 'PB'),
  state('Chandigarh', '04', 'CH', ['Chandigarh UT']),
  state('Uttarakhand', '05', 'UR UT', ['Uttaranchal', 'Uttrakhand', 'Uttarkhand']),
  state('Haryana', '06', 'HR'),
  state('Delhi', '07', 'DL', ['New Delhi', 'NCT of Delhi', 'Delhi NCT', 'National Capital Territory of Delhi']),
  state('Rajasthan', '08', 'RJ'),
  state('Uttar Pradesh', '09', 'UP', ['U.P.', 'Uttarpradesh']),
  state('Bihar', '10', 'BR'),
  state('Sikkim', '11', 'SK'),
  state('Arunachal Pradesh', '12', 'AR'),
  state('Nagaland', '13', 'NL'),
  state('Manipur', '14', 'MN'),
  state('Mizoram', '15', 'MZ'),
  state('Tripura', '16', 'TR'),
  state('Meghalaya', '17', 'ML'),
  state('Assam', '18', 'AS'),
  state('West Bengal', '19', 'WB', ['W.B.']),
  state('Jharkhand', '20', 'JH'),
  state('Odisha', '21', 'OR OD', ['Orissa']),
  state('Chhattisgarh', '22', 'CT CG', ['Chattisgarh', 'Chhatisgarh', 'Chattishgarh', 'Chhattishgarh']),
  state('Madhya Pradesh', '23', 'MP', ['M.P.']),
  state('Gujarat', '24', 'GJ', ['Gujrat']),
  state('Dadra and Nagar Haveli and Daman and Diu', '25 26', 'DN DD', [
    'The Dadra and Nagar Haveli and Daman and Diu',
    'Dadra and Nagar Haveli',
    'Dadra Nagar Haveli',
    'Daman and Diu',
    'Daman Diu',
  ]),
  state('Maharashtra', '27', 'MH PN', ['Maharastra']),
  state('Karnataka', '29', 'KA', ['Karnatka']),
  state('Goa', '30', 'GA'),
  state('Lakshadweep', '31', 'LD LK', ['Lakshadweep Islands']),
  state('Kerala', '32', 'KL'),
  state('Tamil Nadu', '33', 'TN TZ', ['Tamilnadu']),
  state('Puducherry', '34', 'PY', ['Pondicherry', 'Pondichery']),
  state('Andaman and Nicobar Islands', '35', 'AN', ['Andaman and Nicobar', 'Andaman Nicobar', 'A&N Islands']),
  state('Telangana', '36', 'TG TS', ['Telengana', 'Telangana State']),
  state('Andhra Pradesh', '37 28', 'AP', ['A.P.', 'Andhrapradesh', 'Andhra Pradesh (New)', 'Andhra Pradesh (Old)']),
  state('Ladakh', '38', 'LA'),
  state('Other Territory', '97', ''),
  state('Centre Jurisdiction', '99', ''),
]
