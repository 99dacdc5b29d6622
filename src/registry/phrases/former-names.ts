/**
 * Former names of districts that are still in use, and their names in the PIN directory; the first one that it contains
 * applies.
 */
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
