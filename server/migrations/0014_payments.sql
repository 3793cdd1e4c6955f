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

-- What gateways want the seller to know about a payment: fraud warnings, disputes, refunds that came back.
CREATE TABLE payment_reports (
  store_id uuid NOT NULL,
  id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  order_id uuid NOT NULL,
  gateway text NOT NULL,
  external_id text NOT NULL,
  type text NOT NULL,
  reason text NOT NULL,
  reporter text NOT NULL,
  resolved_at timestamptz,
  PRIMARY KEY (store_id, id)
);
CREATE UNIQUE INDEX payment_reports_external ON payment_reports (store_id, gateway, external_id, type);

-- Pages at the card processor on which an order can be paid, one a try.
CREATE TABLE card_sessions (
  store_id uuid NOT NULL,
  -- The processor's own.
  id text NOT NULL,
  order_id uuid NOT NULL,
  number integer NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  url text NOT NULL,
  expires_at timestamptz NOT NULL,
  payment_intent text,
  -- When the processor had said how it ended.
  settled_at timestamptz,
  PRIMARY KEY (store_id, id)
);
CREATE INDEX card_sessions_order ON card_sessions (store_id, order_id, number);
CREATE INDEX card_sessions_intent ON card_sessions (store_id, payment_intent) WHERE payment_intent IS NOT NULL;

-- What a buyer says to have paid by hand, until the seller has looked.
CREATE TABLE payment_claims (
  store_id uuid NOT NULL,
  id uuid NOT NULL,
  order_id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  gateway text NOT NULL,
  note text,
  status text NOT NULL CHECK (status IN ('open', 'confirmed', 'rejected')),
  decided_at timestamptz,
  decided_by text,
  reason text,
  PRIMARY KEY (store_id, id)
);
CREATE UNIQUE INDEX payment_claims_open ON payment_claims (store_id, order_id) WHERE status = 'open';
CREATE INDEX payment_claims_order ON payment_claims (store_id, order_id, date_created);

CREATE TABLE payment_proofs (
  store_id uuid NOT NULL,
  order_id uuid NOT NULL,
  id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  friendly_name text NOT NULL,
  storage_key text NOT NULL,
  bytes bigint NOT NULL,
  sha256 bytea NOT NULL,
  PRIMARY KEY (store_id, order_id, id)
);
