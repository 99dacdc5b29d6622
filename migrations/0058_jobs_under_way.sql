-- A push that outlives the process that began it: what the connector keeps of a job in the CRM. The records that are in flight
-- with it are those of the destination that are being sent under the same fence.
CREATE TABLE deliver.job_under_way (
  destination_id         uuid PRIMARY KEY REFERENCES deliver.destination,
  fence                  uuid NOT NULL,
  kept                   jsonb NOT NULL,        -- the connector's own; handed back to it with the leads
  began_at               timestamptz NOT NULL DEFAULT now()
);

-- The pace that the vendor's headers spoke of, in place of the connector's own.
ALTER TABLE deliver.limiter
  ADD COLUMN calls_per_second double precision,
  ADD COLUMN burst            double precision; -- calls at once, after a rest
