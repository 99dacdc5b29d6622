-- $1 dataset, whose view is filled in; entitled: $2 from, $3 to, $4 states, $5 districts, $6 pincodes; asked for:
-- $7 state, $8 districts, $9 pincodes, $10 status, $11 business type, $12 search text, $13 search text as identifier;
-- $14 limit, $15 offset.
-- $16 registry version whose total the caller knows: at that version nothing is counted, and total is null.
-- Null means no bound. States come in the one spelling of config/states.ts, which the feed's index answers; districts
-- as lower case. An unnamed statement is planned with its values, so the bounds that are null cost nothing.
WITH scoped AS NOT MATERIALIZED (
  SELECT f.identifier, f.registered_on
  FROM feed./* dataset */ f
  WHERE ($2::date IS NULL OR f.registered_on >= $2)
    AND ($3::date IS NULL OR f.registered_on <= $3)
    AND ($4::text[] IS NULL OR f.state = ANY ($4))
    AND ($5::text[] IS NULL OR lower(f.district) = ANY ($5))
    AND ($6::text[] IS NULL OR f.pincode = ANY ($6))
    AND ($7::text IS NULL OR f.state = $7)
    AND ($8::text[] IS NULL OR lower(f.district) = ANY ($8))
    AND ($9::text[] IS NULL OR f.pincode = ANY ($9))
    AND ($10::text IS NULL OR lower(f.status) = $10)
    AND ($11::text IS NULL OR lower(f.business_type) = $11)
    AND ($12::text IS NULL OR f.identifier = $13
         OR (registry.name_key($12) <> '' AND strpos(f.name_key, registry.name_key($12)) > 0))
), page AS (
  SELECT identifier, registered_on FROM scoped ORDER BY registered_on DESC, identifier LIMIT $14 OFFSET $15
)
SELECT now.version,
       CASE WHEN now.version <> $16::bigint THEN (SELECT count(*) FROM scoped) END AS total,
       (SELECT coalesce(json_agg(record), '[]') FROM (/* record */) AS record) AS data
FROM (SELECT coalesce((SELECT version FROM registry.version WHERE entity = $1), 0) AS version) AS now
