-- A list of deliveries that goes by their last change moves them between its pages while somebody reads it: so each says when it was made.
ALTER TABLE deliver.delivery
  ADD COLUMN created_at timestamptz;

-- Nothing of them changes that anything is settled by; and the functions of triggers may not be made yet.
ALTER TABLE deliver.delivery DISABLE TRIGGER acknowledgement_settles;
-- Of those that were there, the first push of their order into their destination says it.
UPDATE deliver.delivery d SET created_at = least(d.updated_at, d.first_sent_at, (
  SELECT min(p.requested_at) FROM deliver.push p WHERE p.order_id = d.order_id AND p.destination_id = d.destination_id
));
ALTER TABLE deliver.delivery ENABLE TRIGGER acknowledgement_settles;

ALTER TABLE deliver.delivery
  ALTER COLUMN created_at SET DEFAULT now(),
  ALTER COLUMN created_at SET NOT NULL;
