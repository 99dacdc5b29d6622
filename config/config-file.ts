/** Name of the configuration file in the data directory, unless PANJI_CONFIG says otherwise. */
export const configFileName = 'panji.json'
