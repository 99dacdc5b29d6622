/** What people still call districts that the directory of PIN codes has under another name, and that name; the first that it holds counts. */
export const formerNames: Readonly<Record<string, readonly string[]>> = {
  allahabad: ['Prayagraj'],
  bangalore: ['Bengaluru', 'Bengaluru Urban'],
  baroda: ['Vadodara'],
  belgaum: ['Belagavi'],
  bengaluru: ['Bengaluru Urban'],
  bombay: ['Mumbai'],
  calcutta: ['Kolkata'],
  calicut: ['Kozhikode'],
  faizabad: ['Ayodhya'],
  gurgaon: ['Gurugram'],
  madras: ['Chennai'],
  mysore: ['Mysuru'],
  poona: ['Pune'],
  trichy: ['Tiruchirappalli'],
  trivandrum: ['Thiruvananthapuram'],
  vizag: ['Visakhapatnam'],
}
