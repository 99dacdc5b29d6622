SELECT /* columns */
FROM page JOIN /* table */ r ON /* key */ = page.identifier
ORDER BY page.registered_on DESC, page.identifier
