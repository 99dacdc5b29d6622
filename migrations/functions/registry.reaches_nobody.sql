-- Whether an e-mail address reaches nobody who is meant: CRMs and mail tools refuse domains in punycode, and mailboxes of
-- disposable domains are thrown away within the hour.
CREATE OR REPLACE FUNCTION registry.reaches_nobody(v text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT v ~ '[@.]xn--' OR substring(v FROM '@(?:.*[.])?([^@.]+[.][^@.]+)$') IN (
    '10minutemail.com', '20minutemail.com', 'burnermail.io', 'discard.email', 'dispostable.com', 'emailondeck.com', 'fakeinbox.com',
    'getairmail.com', 'getnada.com', 'grr.la', 'guerrillamail.com', 'guerrillamail.info', 'guerrillamail.net', 'guerrillamail.org',
    'inboxkitten.com', 'mail-temp.com', 'mailcatch.com', 'maildrop.cc', 'mailinator.com', 'mailnesia.com', 'mailsac.com', 'mintemail.com',
    'moakt.com', 'mohmal.com', 'mytemp.email', 'sharklasers.com', 'spam4.me', 'spamgourmet.com', 'temp-mail.io', 'temp-mail.org',
    'tempail.com', 'tempmail.com', 'tempmail.net', 'tempmailo.com', 'tempr.email', 'throwawaymail.com', 'trashmail.com', 'trashmail.de',
    'yopmail.com', 'yopmail.fr', 'yopmail.net')
$$;
