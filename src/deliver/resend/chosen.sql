-- Whether record `r` of destination $1, whose lead is of item `i`, is to be sent again: of order $2 and one of the
-- records $3, where null means any. Records in flight are compared anyway; what was refunded, withdrawn or objected to
-- is no longer owed, and what was recalled since its import was undone has to be named.
  r.destination_id = $1 AND r.state IN ('pending', 'acknowledged', 'rejected')
  AND i.refunded_at IS NULL AND i.withdrawn_at IS NULL
  AND NOT access.objected_to(split_part(r.external_id, ':', 1), split_part(r.external_id, ':', 2))
  AND (r.last_error ->> 'code' IS DISTINCT FROM 'RECALLED' OR $2::uuid IS NOT NULL OR $3::text[] IS NOT NULL)
  AND ($2::uuid IS NULL OR EXISTS (SELECT FROM deliver.delivery d
    WHERE d.destination_id = r.destination_id AND d.external_id = r.external_id AND d.order_id = $2))
  AND ($3::text[] IS NULL OR r.external_id = ANY($3))
