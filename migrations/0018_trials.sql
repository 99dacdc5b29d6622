-- A grant that nobody paid for: it has a window from 30 days before its start to its end, and opens no larger budget.
ALTER TABLE access.entitlement ADD COLUMN trial boolean NOT NULL DEFAULT false;
-- Trials that run get the window that they should have had.
UPDATE access.entitlement e
SET trial = true, anchored = true,
    window_from = (e.starts_at AT TIME ZONE 'UTC')::date - 30, window_to = (e.expires_at AT TIME ZONE 'UTC')::date
FROM access.activated_offer a JOIN access.offer o USING (offer_id)
WHERE e.granted_by = 'offer' AND o.price = 0 AND e.account_id = a.account_id AND e.plan_name = o.name
  AND e.expires_at = a.expires_at;
