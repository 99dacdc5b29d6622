-- Credits bought by themselves, and the invoices and credit notes of everything that was paid in money.

CREATE TABLE orders.checkout (
  checkout_id            uuid PRIMARY KEY,
  account_id             uuid NOT NULL REFERENCES access.account,
  product                text NOT NULL,         -- of config/plans.ts, as it was sold
  credits                bigint NOT NULL CHECK (credits > 0),
  valid_days             integer CHECK (valid_days > 0),
  amount                 bigint NOT NULL CHECK (amount > 0),    -- paise, tax included
  status                 text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'paid', 'refunded', 'expired')),
  payment                jsonb,                 -- the processor's order; emptied by erasure
  place_of_supply        text CHECK (place_of_supply ~ '^[0-9]{2}$'),
  gstin                  text,                  -- of the buyer
  created_at             timestamptz NOT NULL DEFAULT now(),
  paid_at                timestamptz
);
CREATE UNIQUE INDEX checkout_payment ON orders.checkout ((payment ->> 'provider'), (payment ->> 'id')) WHERE payment IS NOT NULL;
CREATE INDEX checkout_account ON orders.checkout (account_id, created_at DESC);
CREATE INDEX checkout_waiting ON orders.checkout (created_at) WHERE status = 'pending';

ALTER TABLE orders.payment ALTER COLUMN order_id DROP NOT NULL,
  ADD COLUMN checkout_id uuid REFERENCES orders.checkout,
  ADD CONSTRAINT payment_of_one CHECK (num_nonnulls(order_id, checkout_id) = 1);
CREATE INDEX payment_checkout ON orders.payment (checkout_id) WHERE checkout_id IS NOT NULL;
ALTER TABLE orders.repayment ADD COLUMN checkout_id uuid REFERENCES orders.checkout;
CREATE INDEX repayment_checkout ON orders.repayment (checkout_id) WHERE checkout_id IS NOT NULL;

-- The last number of each series and financial year. Whoever takes the next holds the row to the end of the transaction
-- that writes the document, so a rollback gives the number back and no gap comes.
CREATE TABLE orders.invoice_counter (
  series                 text NOT NULL CHECK (series IN ('PI', 'PC')),
  financial_year         text NOT NULL CHECK (financial_year ~ '^[0-9]{4}$'),  -- 2627 begins on 1 April 2026
  last                   integer NOT NULL CHECK (last > 0),
  PRIMARY KEY (series, financial_year)
);

CREATE TABLE orders.invoice (
  number                 text PRIMARY KEY,      -- PI-2627-0000001, a credit note PC-2627-0000001
  series                 text NOT NULL,
  financial_year         text NOT NULL,
  serial                 integer NOT NULL,
  account_id             uuid NOT NULL REFERENCES access.account,
  issued_at              timestamptz NOT NULL DEFAULT now(),
  reference              text NOT NULL UNIQUE,  -- of the movement in the ledger: each has one document
  against                text REFERENCES orders.invoice,        -- the invoice that a credit note takes back
  description            text NOT NULL,
  sac                    text NOT NULL,
  place_of_supply        text NOT NULL CHECK (place_of_supply ~ '^[0-9]{2}$'),
  gstin                  text,                  -- of the buyer
  seller                 jsonb NOT NULL,        -- name, gstin, address and state, as they were
  net                    bigint NOT NULL CHECK (net >= 0),      -- all in paise
  cgst                   bigint NOT NULL CHECK (cgst >= 0),
  sgst                   bigint NOT NULL CHECK (sgst >= 0),
  igst                   bigint NOT NULL CHECK (igst >= 0),
  total                  bigint NOT NULL CHECK (total = net + cgst + sgst + igst),
  UNIQUE (series, financial_year, serial),
  FOREIGN KEY (series, financial_year) REFERENCES orders.invoice_counter,
  CHECK (number = series || '-' || financial_year || '-' || lpad(serial::text, 7, '0')),
  CHECK ((series = 'PC') = (against IS NOT NULL))
);
CREATE INDEX invoice_account ON orders.invoice (account_id, issued_at DESC);
CREATE INDEX invoice_against ON orders.invoice (against) WHERE against IS NOT NULL;
