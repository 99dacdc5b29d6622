-- A row that was reclaimed was bought then, and not when its order was paid: it is owned for as long from then on.
ALTER TABLE orders.item ADD COLUMN reclaimed_at timestamptz;
