/**
 * The states and union territories: their canonical names, and all other spellings in sources and requests. The
 * single table for ingestion, feeds, filters, grants and the screener.
 */
export interface State {
  readonly name: string
  /** The two digits with which a GSTIN begins. */
  readonly gstCodes: readonly string[]
  /** Two-letter codes: of CINs, ISO 3166-2:IN and number plates, former ones included. */
  readonly letters: readonly string[]
  /** Other spellings and former names. */
  readonly aliases: readonly string[]
  /** Cities that are accepted for the state, former names included. */
  readonly cities: readonly string[]
}

const state = (
  name: string,
  gstCodes: string,
  letters: string,
  aliases: readonly string[] = [],
  cities: readonly string[] = [],
): State => ({
  name,
  gstCodes: gstCodes.split(' ').filter(Boolean),
  letters: letters.split(' ').filter(Boolean),
  aliases,
  cities,
})

export const states: readonly State[] = [
  state('Jammu and Kashmir', '01', 'JK', ['J&K', 'Jammu', 'Kashmir'], ['Srinagar']),
  state('Himachal Pradesh', '02', 'HP', ['Himachal'], ['Shimla', 'Simla']),
  state('Punjab', '03', 'PB', ['Panjab'], ['Ludhiana', 'Amritsar', 'Jalandhar']),
  state('Chandigarh', '04', 'CH', ['Chandigarh UT']),
  state('Uttarakhand', '05', 'UR UT UK UA', ['Uttaranchal', 'Uttrakhand', 'Uttarkhand'], ['Dehradun', 'Dehra Dun']),
  state('Haryana', '06', 'HR', ['Hariyana'], ['Gurgaon', 'Gurugram', 'Faridabad']),
  state('Delhi', '07', 'DL', [
    'New Delhi',
    'NCT of Delhi',
    'Delhi NCT',
    'National Capital Territory of Delhi',
    'NCT',
    'Delhi NCR',
  ]),
  state('Rajasthan', '08', 'RJ', ['Rajputana'], ['Jaipur', 'Jodhpur', 'Udaipur']),
  state(
    'Uttar Pradesh',
    '09',
    'UP',
    ['U.P.', 'Uttarpradesh', 'United Provinces'],
    ['Lucknow', 'Kanpur', 'Cawnpore', 'Noida', 'Ghaziabad', 'Allahabad', 'Prayagraj', 'Varanasi', 'Benares', 'Agra'],
  ),
  state('Bihar', '10', 'BR', [], ['Patna']),
  state('Sikkim', '11', 'SK'),
  state('Arunachal Pradesh', '12', 'AR', ['Arunachal', 'North East Frontier Agency', 'NEFA']),
  state('Nagaland', '13', 'NL'),
  state('Manipur', '14', 'MN'),
  state('Mizoram', '15', 'MZ'),
  state('Tripura', '16', 'TR'),
  state('Meghalaya', '17', 'ML'),
  state('Assam', '18', 'AS', ['Asom'], ['Guwahati', 'Gauhati']),
  state(
    'West Bengal',
    '19',
    'WB',
    ['W.B.', 'Bengal', 'Paschim Banga', 'Westbengal'],
    ['Kolkata', 'Calcutta', 'Howrah'],
  ),
  state('Jharkhand', '20', 'JH', [], ['Ranchi', 'Jamshedpur']),
  state('Odisha', '21', 'OR OD', ['Orissa'], ['Bhubaneswar', 'Cuttack']),
  state('Chhattisgarh', '22', 'CT CG', ['Chattisgarh', 'Chhatisgarh', 'Chattishgarh', 'Chhattishgarh'], ['Raipur']),
  state(
    'Madhya Pradesh',
    '23',
    'MP',
    ['M.P.', 'Madhyapradesh', 'Central Provinces', 'Madhya Bharat'],
    ['Bhopal', 'Indore', 'Gwalior', 'Jabalpur'],
  ),
  state(
    'Gujarat',
    '24',
    'GJ',
    ['Gujrat', 'Gujerat'],
    ['Ahmedabad', 'Ahmadabad', 'Surat', 'Vadodara', 'Baroda', 'Rajkot'],
  ),
  state('Dadra and Nagar Haveli and Daman and Diu', '25 26', 'DN DD DH', [
    'The Dadra and Nagar Haveli and Daman and Diu',
    'Dadra and Nagar Haveli',
    'Dadra Nagar Haveli',
    'Daman and Diu',
    'Daman Diu',
    'Daman',
  ]),
  state(
    'Maharashtra',
    '27',
    'MH PN',
    ['Maharastra', 'Bombay State'],
    ['Mumbai', 'Bombay', 'Pune', 'Poona', 'Nagpur', 'Thane', 'Navi Mumbai', 'Nashik'],
  ),
  state(
    'Karnataka',
    '29',
    'KA',
    ['Karnatka', 'Mysore State'],
    ['Bengaluru', 'Bangalore', 'Mysuru', 'Mysore', 'Mangaluru', 'Mangalore'],
  ),
  state('Goa', '30', 'GA', [], ['Panaji', 'Panjim', 'Margao']),
  state('Lakshadweep', '31', 'LD LK', [
    'Lakshadweep Islands',
    'Laccadive Islands',
    'Laccadive, Minicoy and Amindivi Islands',
  ]),
  state(
    'Kerala',
    '32',
    'KL',
    ['Keralam', 'Travancore-Cochin'],
    ['Kochi', 'Cochin', 'Ernakulam', 'Thiruvananthapuram', 'Trivandrum', 'Kozhikode', 'Calicut'],
  ),
  state('Tamil Nadu', '33', 'TN TZ', ['Tamilnadu', 'Madras State'], ['Chennai', 'Madras', 'Coimbatore', 'Madurai']),
  state('Puducherry', '34', 'PY', ['Pondicherry', 'Pondichery']),
  state(
    'Andaman and Nicobar Islands',
    '35',
    'AN',
    ['Andaman and Nicobar', 'Andaman Nicobar', 'A&N Islands', 'Andaman', 'Andamans', 'Andaman Islands'],
    ['Port Blair', 'Sri Vijaya Puram'],
  ),
  state('Telangana', '36', 'TG TS', ['Telengana', 'Telangana State'], ['Hyderabad', 'Secunderabad']),
  state(
    'Andhra Pradesh',
    '37 28',
    'AP AD',
    ['A.P.', 'Andhrapradesh', 'Andhra Pradesh (New)', 'Andhra Pradesh (Old)', 'Andhra'],
    ['Vijayawada', 'Visakhapatnam', 'Vizag', 'Amaravati'],
  ),
  state('Ladakh', '38', 'LA', [], ['Leh']),
  state('Other Territory', '97', ''),
  state('Centre Jurisdiction', '99', ''),
]
