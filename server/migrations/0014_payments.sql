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

-- Tries of card payments that came to nothing: told again, they change nothing.
CREATE TABLE card_refusals (
  store_id uuid NOT NULL,
  payment_intent text NOT NULL,
  PRIMARY KEY (store_id, payment_intent)
);

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

-- Store credit: a ledger that is only added to, and its sum, kept beside it so that one row decides who may spend.
CREATE TABLE credit_balances (
  store_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  currency text NOT NULL,
  balance_minor bigint NOT NULL CHECK (balance_minor >= 0),
  last_number integer NOT NULL,
  PRIMARY KEY (store_id, customer_id, currency)
);
CREATE TABLE credit_entries (
  store_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  currency text NOT NULL,
  number integer NOT NULL,
  id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  kind text NOT NULL CHECK (kind IN ('granted', 'taken', 'spent', 'refunded')),
  amount_minor bigint NOT NULL CHECK (amount_minor <> 0),
  order_id uuid,
  -- What caused it, by its own name.
  external_id text,
  reason text,
  actor text,
  PRIMARY KEY (store_id, customer_id, currency, number)
);
CREATE UNIQUE INDEX credit_entries_external ON credit_entries (store_id, external_id) WHERE external_id IS NOT NULL;

-- The code that was mailed for an order, to prove that its credit is the buyer's.
CREATE TABLE credit_codes (
  store_id uuid NOT NULL,
  order_id uuid NOT NULL,
  code_hash bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  sent integer NOT NULL DEFAULT 0,
  PRIMARY KEY (store_id, order_id)
);

-- A product that is paid for by the period. What a line costs is one period, as the product said when it was placed.
ALTER TABLE order_lines ADD COLUMN subscription_period text;
-- The card that paid, kept by the processor for renewals.
ALTER TABLE card_sessions ADD COLUMN card_customer text, ADD COLUMN card_method text;

CREATE TABLE subscriptions (
  store_id uuid NOT NULL,
  id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  customer_id uuid NOT NULL,
  product_id uuid NOT NULL,
  start_date timestamptz NOT NULL,
  expiration_date timestamptz NOT NULL,
  period text NOT NULL,
  quantity integer NOT NULL CHECK (quantity > 0),
  gateway text NOT NULL,
  cancelled_at timestamptz,
  ended_at timestamptz,
  -- The order that was placed to prolong it, and until when it was paid then: one order a period.
  renewal_order_id uuid,
  renewed_until timestamptz,
  PRIMARY KEY (store_id, id)
);
CREATE UNIQUE INDEX subscriptions_live ON subscriptions (store_id, customer_id, product_id) WHERE ended_at IS NULL;
CREATE INDEX subscriptions_list ON subscriptions (store_id, date_created DESC, id DESC);

-- The orders that paid for it: each counts once.
CREATE TABLE subscription_periods (
  store_id uuid NOT NULL,
  order_id uuid NOT NULL,
  product_id uuid NOT NULL,
  subscription_id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  -- Its money went back, and its time with it.
  withdrawn_at timestamptz,
  PRIMARY KEY (store_id, order_id, product_id)
);
CREATE INDEX subscription_periods_subscription ON subscription_periods (store_id, subscription_id, date_created);
