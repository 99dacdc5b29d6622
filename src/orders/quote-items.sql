-- Quotes the items $2 (identifiers) of types $1 for account $3, where $4 are the positions (from 1) that it owns
-- already, and $5 excludes inactive records from all but the first three counts. One row per type: how many are in
-- their register, how they can be reached, and what they would cost. Contacts that the account excludes, or that
-- objected, do not count as reachable.
SELECT asked.type,
       count(*) AS asked,
       count(*) FILTER (WHERE asked.known) AS exist,
       count(*) FILTER (WHERE asked.known AND asked.inactive) AS inactive,
       count(*) FILTER (WHERE asked.taken AND way.open) AS reachable,
       count(*) FILTER (WHERE asked.taken AND way.by_email) AS by_email,
       count(*) FILTER (WHERE asked.taken AND way.by_mobile) AS by_mobile,
       count(*) FILTER (WHERE asked.taken AND asked.owned) AS already_owned,
       count(*) FILTER (WHERE asked.taken AND NOT way.open
                          AND (way.closed OR registry.objected(asked.type, asked.identifier))) AS suppressed,
       count(*) FILTER (WHERE asked.taken AND way.open AND NOT asked.owned) AS credits_needed,
       count(*) FILTER (WHERE asked.taken AND NOT asked.owned) AS credits_held
FROM (
  SELECT found.*, known AND NOT ($5::boolean AND inactive) AS taken FROM (
    SELECT item.type, item.identifier, item.place = ANY ($4::bigint[]) AS owned,
           /* known */ AS known,
           /* inactive */ AS inactive
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS item (type, identifier, place)
    /* registers */
  ) AS found
) AS asked
CROSS JOIN LATERAL (
  SELECT coalesce(bool_or(NOT left_out), false) AS open,
         coalesce(bool_or(NOT left_out AND kind = 'email'), false) AS by_email,
         coalesce(bool_or(NOT left_out AND kind = 'mobile'), false) AS by_mobile,
         coalesce(bool_or(left_out), false) AS closed
  FROM (
    SELECT ways.kind,
           ways.suppressed OR (ways.barred AND (SELECT excludes_preferences FROM access.account WHERE account_id = $3)) AS left_out
    FROM registry.ways_known(asked.type, asked.identifier) AS ways
  ) AS summary
) AS way
GROUP BY asked.type ORDER BY asked.type
