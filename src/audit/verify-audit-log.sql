-- Returns the first position at which the chain is broken, or no row. $1, $2: heads of the chain that were stored
-- elsewhere, by seq and hexadecimal hash. A seal is checked against the previous one and its row, so one pass in order
-- checks them all.
WITH start AS (
  SELECT coalesce(max(seq), 0) AS seq,
         coalesce((array_agg(hash ORDER BY seq DESC))[1], sha256(convert_to('panji audit', 'UTF8'))) AS hash
  FROM access.audit_checkpoint
), link AS (
  SELECT s.seq, s.audit_id, s.previous, s.hash,
         coalesce(lag(s.seq) OVER in_order, start.seq) AS seq_before,
         coalesce(lag(s.hash) OVER in_order, start.hash) AS hash_before,
         CASE WHEN a.audit_id IS NOT NULL THEN sha256(s.previous || access.audit_digest(a)) END AS expected
  FROM start, access.audit_seal s LEFT JOIN access.audit a ON a.audit_id = s.audit_id
  WINDOW in_order AS (ORDER BY s.seq)
), fault AS (
  (SELECT seq, audit_id, seq_before, CASE
      WHEN seq <> seq_before + 1 THEN 'gap' WHEN previous <> hash_before THEN 'link'
      WHEN expected IS NULL THEN 'gone' ELSE 'changed' END AS kind
   FROM link
   WHERE seq <> seq_before + 1 OR previous <> hash_before OR expected IS DISTINCT FROM hash
   ORDER BY seq LIMIT 1)
  UNION ALL
  -- A head that is older than the oldest row has no seal any more.
  (SELECT known.seq, NULL, (SELECT coalesce(max(seq), start.seq) FROM access.audit_seal),
          CASE WHEN s.seq IS NULL THEN 'cut' ELSE 'rewritten' END
   FROM start, unnest($1::bigint[], $2::text[]) AS known(seq, hash) LEFT JOIN access.audit_seal s USING (seq)
   WHERE known.seq > start.seq AND encode(s.hash, 'hex') IS DISTINCT FROM known.hash
   ORDER BY known.seq LIMIT 1)
  UNION ALL
  (SELECT c.seq, NULL, 0, 'early' FROM access.audit_checkpoint c
   WHERE c.through > c.pruned_at - interval '365 days'
      OR c.pruned_at > now() - interval '364 days' AND NOT EXISTS (
           SELECT FROM access.audit a WHERE a.action = 'prune audit' AND a.subject = 'seal ' || c.seq)
   ORDER BY c.seq LIMIT 1)
)
SELECT seq::bigint AS place, audit_id AS "auditId", seq_before AS "placeBefore", kind FROM fault ORDER BY seq LIMIT 1
