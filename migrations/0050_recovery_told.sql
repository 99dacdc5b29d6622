-- Whoever is told that deliveries into a CRM fail is told when it takes leads again, also where a person cured it.

ALTER TABLE deliver.destination
  ADD COLUMN broken_told_at timestamptz;  -- that it is broken; null: not, or its recovery was told since

UPDATE deliver.destination SET broken_told_at = now() WHERE status = 'broken';
