SELECT /* columns */
FROM /* rows */ f JOIN /* table */ r ON /* key */ = f.identifier/* where */
ORDER BY f.registered_on DESC, f.identifier/* limits */
