-- What /metrics counts of tables that grow without end: the orders of the last day, and the pushes that failed in it. Orders
-- lie in the order of their making, so that a few pages of a BRIN index find a day; failures are few.
CREATE INDEX purchase_made ON orders.purchase USING brin (created_at) WITH (pages_per_range = 16, autosummarize = on);
CREATE INDEX push_failed ON deliver.push (finished_at) WHERE status = 'failed';
