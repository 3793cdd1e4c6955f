-- How a store takes a payment method. What the seller filled in is sealed as a whole: keys are among it.
CREATE TABLE payment_settings (
  store_id uuid NOT NULL,
  method text NOT NULL,
  id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  is_enabled boolean NOT NULL,
  sealed bytea NOT NULL,
  -- When the gateway was last asked whether the settings work, and what was wrong then.
  checked_at timestamptz,
  problem text,
  PRIMARY KEY (store_id, method)
);
