-- Before a transfer is written: its accounts follow from its kind and nothing else, its time is the server's, what it gives
-- back was spent before, and the customer's account is held until the transaction ends.
CREATE OR REPLACE FUNCTION ledger.seal_transfer() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  rule ledger.kind;
  opposite ledger.transfer;
  held bigint;
BEGIN
  SELECT * INTO STRICT rule FROM ledger.kind WHERE kind = NEW.kind;
  IF NEW.reverses IS NOT NULL THEN
    SELECT * INTO STRICT opposite FROM ledger.transfer WHERE transfer_id = NEW.reverses FOR NO KEY UPDATE;
  END IF;
  NEW.from_id := coalesce(rule.from_id, NEW.customer_id);
  NEW.to_id := coalesce(rule.to_id, NEW.customer_id);

  IF NEW.kind = 'reversal' THEN
    -- Spends are undone item by item or term by term, and what undoes another is final.
    IF opposite.kind IN ('spend', 'hold', 'settle', 'release', 'refund', 'subscribe', 'unsubscribe', 'reversal')
       OR opposite.amount IS DISTINCT FROM NEW.amount THEN
      RAISE EXCEPTION 'a reversal names the transfer that it takes back as a whole' USING ERRCODE = 'check_violation';
    END IF;
    NEW.from_id := opposite.to_id;
    NEW.to_id := opposite.from_id;
    NEW.customer_id := opposite.customer_id;
    NEW.lot_id := opposite.lot_id;
  ELSIF NEW.kind IN ('spend', 'hold') THEN
    IF NOT EXISTS (SELECT FROM orders.purchase JOIN ledger.account ON account.owner_id = purchase.account_id
                   WHERE purchase.order_id = NEW.order_id AND account.ledger_account_id = NEW.customer_id) THEN
      RAISE EXCEPTION 'credits are spent on an order of their owner' USING ERRCODE = 'check_violation';
    END IF;
  ELSIF NEW.kind = 'refund' THEN
    -- Only what is spent is refunded: at once by a spend, or once it was settled by a hold.
    IF NEW.amount <> 1 OR NOT EXISTS (
         SELECT FROM orders.item WHERE item_id = NEW.item_id AND charge_id = NEW.reverses AND order_id = opposite.order_id
           AND (opposite.kind = 'spend' OR opposite.kind = 'hold' AND settled_id IS NOT NULL)) THEN
      RAISE EXCEPTION 'a refund gives back the credit of one item, to the spend that paid for it' USING ERRCODE = 'check_violation';
    END IF;
    NEW.customer_id := opposite.customer_id;
    NEW.to_id := opposite.customer_id;
    NEW.lot_id := opposite.lot_id;
    NEW.order_id := opposite.order_id;
  ELSIF NEW.kind = 'release' THEN
    IF opposite.kind IS DISTINCT FROM 'hold' OR NEW.amount <> 1 OR NOT EXISTS (
         SELECT FROM orders.item WHERE item_id = NEW.item_id AND charge_id = NEW.reverses AND order_id = opposite.order_id
           AND settled_id IS NULL) THEN
      RAISE EXCEPTION 'a release gives back the held credit of one item that is not settled' USING ERRCODE = 'check_violation';
    END IF;
    NEW.customer_id := opposite.customer_id;
    NEW.to_id := opposite.customer_id;
    NEW.lot_id := opposite.lot_id;
    NEW.order_id := opposite.order_id;
  ELSIF NEW.kind = 'settle' THEN
    IF opposite.kind IS DISTINCT FROM 'hold'
       OR opposite.amount < NEW.amount + (SELECT coalesce(sum(amount), 0) FROM ledger.transfer
                                          WHERE reverses = NEW.reverses AND kind IN ('settle', 'release')) THEN
      RAISE EXCEPTION 'no more is settled than is held' USING ERRCODE = 'check_violation';
    END IF;
    NEW.customer_id := opposite.customer_id;
    NEW.lot_id := opposite.lot_id;
    NEW.order_id := opposite.order_id;
  ELSIF NEW.kind = 'unsubscribe' THEN
    IF opposite.kind IS DISTINCT FROM 'subscribe' OR opposite.amount < NEW.amount
       OR EXISTS (SELECT FROM ledger.transfer WHERE reverses = NEW.reverses AND kind = 'reversal') THEN
      RAISE EXCEPTION 'no more of a term is given back than was paid for it' USING ERRCODE = 'check_violation';
    END IF;
    NEW.customer_id := opposite.customer_id;
    NEW.to_id := opposite.customer_id;
    NEW.lot_id := opposite.lot_id;
  ELSIF NEW.kind IN ('collect', 'write_off') THEN
    -- ledger.post_money holds the customer's account.
    IF NEW.amount > (SELECT coalesce(sum(CASE WHEN kind IN ('owe', 'overpay') THEN amount ELSE -amount END), 0) FROM ledger.transfer
                     WHERE customer_id = NEW.customer_id AND kind IN ('owe', 'overpay', 'collect', 'write_off')) THEN
      RAISE EXCEPTION 'no more is settled than is owed' USING ERRCODE = 'check_violation';
    END IF;
  ELSIF NEW.kind = 'expire' THEN
    IF NOT EXISTS (SELECT FROM ledger.lot WHERE lot_id = NEW.lot_id AND ends_at <= now()) THEN
      RAISE EXCEPTION 'only credits whose end has come expire' USING ERRCODE = 'check_violation';
    END IF;
  ELSIF NEW.kind IN ('repay', 'repay_tax', 'unsell', 'unearn', 'unlapse', 'owe') THEN
    IF opposite.kind IS DISTINCT FROM (CASE NEW.kind WHEN 'repay_tax' THEN 'tax' ELSE 'payment' END)
       OR opposite.amount < NEW.amount + (SELECT coalesce(sum(amount), 0) FROM ledger.transfer
                                          WHERE reverses = NEW.reverses AND (kind IN (NEW.kind, 'reversal')
                                            OR NEW.kind IN ('unsell', 'unearn', 'unlapse', 'owe') AND kind IN ('unsell', 'unearn', 'unlapse', 'owe'))) THEN
      RAISE EXCEPTION 'no more money goes back than came' USING ERRCODE = 'check_violation';
    END IF;
    NEW.customer_id := opposite.customer_id;
    NEW.lot_id := opposite.lot_id;
  END IF;
  IF NEW.reverses IS NOT NULL AND NEW.kind NOT IN ('refund', 'release', 'settle', 'unsubscribe', 'reversal', 'repay', 'repay_tax', 'unsell', 'unearn', 'unlapse', 'owe')
     OR NEW.item_id IS NOT NULL AND NEW.kind NOT IN ('refund', 'release')
     OR NEW.order_id IS NOT NULL AND NEW.kind NOT IN ('spend', 'hold', 'refund', 'release', 'settle') THEN
    RAISE EXCEPTION 'a % names nothing that it has nothing to do with', NEW.kind USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.lot_id IS NOT NULL
     AND NOT EXISTS (SELECT FROM ledger.lot WHERE lot_id = NEW.lot_id AND ledger_account_id = NEW.customer_id) THEN
    RAISE EXCEPTION 'a lot is its owner''s alone' USING ERRCODE = 'check_violation';
  END IF;

  NEW.balance_after := NULL;
  IF NEW.customer_id IN (NEW.from_id, NEW.to_id) THEN
    IF NEW.lot_id IS NULL THEN
      RAISE EXCEPTION 'credits move in or out of a lot' USING ERRCODE = 'check_violation';
    END IF;
    SELECT balance INTO STRICT held FROM ledger.account
    WHERE ledger_account_id = NEW.customer_id AND kind = 'credits' FOR NO KEY UPDATE;
    NEW.balance_after := held + CASE WHEN NEW.to_id = NEW.customer_id THEN NEW.amount ELSE -NEW.amount END;
  END IF;
  -- Read once the account is held, so that an account's entries stand in the order of their times. What is booked with a net amount,
  -- in one transaction, has its time, so that no month ends between the two.
  NEW.created_at := coalesce(CASE WHEN NEW.kind IN ('tax', 'fee', 'fee_tax', 'repay_tax', 'unsell', 'unearn', 'unlapse', 'owe') THEN
    (SELECT created_at FROM ledger.transfer WHERE reference = regexp_replace(NEW.reference, ':[^:]*$', ':net') AND created_at >= now())
    END, clock_timestamp());
  IF ledger.is_closed(NEW.created_at) THEN
    RAISE EXCEPTION 'nothing is booked in a month that is closed' USING ERRCODE = 'check_violation', CONSTRAINT = 'month_is_open';
  END IF;
  RETURN NEW;
END $$;
