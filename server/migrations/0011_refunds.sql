-- Money to be paid back, by the payment it came with. A gateway is asked outside of any transaction: until it has
-- answered, the amount is kept apart, so that nothing is paid back twice.
CREATE TABLE refunds (
  store_id uuid NOT NULL,
  id uuid NOT NULL,
  order_id uuid NOT NULL,
  payment_id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  status text NOT NULL CHECK (status IN ('waiting', 'done', 'failed')),
  -- What the seller asked for.
  actor text,
  reason text,
  return_items boolean NOT NULL,
  failure text,
  PRIMARY KEY (store_id, id)
);
CREATE INDEX refunds_order ON refunds (store_id, order_id);
