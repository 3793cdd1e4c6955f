-- What owners, members, keys and the platform's staff did to a store. Rows are only ever added. Numbers are given
-- afterwards, so that the store's transactions never wait for one counter; only numbered ones are shown.
CREATE TABLE store_acts (
  store_id uuid NOT NULL,
  id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  number bigint CHECK (number > 0),
  -- Null when the platform did it by itself, as the store's settings say.
  user_id uuid,
  user_name text NOT NULL,
  role text NOT NULL CHECK (role IN ('owner', 'member', 'staff', 'platform')),
  -- The API key by which it was done; null when it was done in the dashboard.
  key_id uuid,
  -- The name of the endpoint.
  act text NOT NULL,
  subject_id text,
  subject_name text,
  ip_address text,
  PRIMARY KEY (store_id, id)
);
CREATE UNIQUE INDEX store_acts_number ON store_acts (store_id, number) WHERE number IS NOT NULL;
CREATE INDEX store_acts_unnumbered ON store_acts (store_id, id) WHERE number IS NULL;

CREATE TABLE store_act_numbers (
  store_id uuid PRIMARY KEY,
  last_number bigint NOT NULL DEFAULT 0
);

-- What the platform's staff did, for the staff's own log.
CREATE INDEX audit_entries_staff ON audit_entries (id) WHERE act LIKE 'staff.%';

-- Somebody who is asked to become a member. Accepted or withdrawn, the row goes.
CREATE TABLE store_invitations (
  store_id uuid NOT NULL,
  id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  email_address text NOT NULL CHECK (length(email_address) BETWEEN 3 AND 254),
  scopes text[] NOT NULL,
  invited_by uuid NOT NULL,
  token_hash bytea NOT NULL,
  sent_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (store_id, id)
);
CREATE UNIQUE INDEX store_invitations_email_address ON store_invitations (store_id, lower(email_address));

-- What people tell the platform's staff about a store.
CREATE TABLE store_reports (
  store_id uuid NOT NULL,
  id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  type text NOT NULL CHECK (type IN ('fraud', 'counterfeit', 'stolen', 'illegal', 'other')),
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 2048),
  product_id uuid,
  -- Set when the reporter showed the order's key.
  order_id uuid,
  gateway text,
  -- Where the staff may ask back; never shown to the seller.
  email_address text,
  -- For the limit on reports from one place; forgotten after a day.
  network text,
  resolved_at timestamptz,
  resolved_by uuid,
  note text,
  PRIMARY KEY (store_id, id)
);
CREATE INDEX store_reports_list ON store_reports (store_id, date_created DESC, id DESC);
-- The staff see the reports of all stores.
CREATE INDEX store_reports_open ON store_reports (date_created DESC, id DESC) WHERE resolved_at IS NULL;
CREATE INDEX store_reports_resolved ON store_reports (date_created DESC, id DESC) WHERE resolved_at IS NOT NULL;
CREATE INDEX store_reports_id ON store_reports (id);
CREATE INDEX store_reports_network ON store_reports (store_id, network) WHERE network IS NOT NULL;

-- What referring somebody brought, in the currency of the fee; negative when a fee was given back. Rows are only ever added.
CREATE TABLE referral_credits (
  user_id uuid NOT NULL,
  -- What the fee was for, such as an order: a repeated notice changes nothing.
  source text NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  referred_user_id uuid NOT NULL,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  fee_minor bigint NOT NULL,
  percentage double precision NOT NULL CHECK (percentage BETWEEN 0 AND 100),
  amount_minor bigint NOT NULL,
  PRIMARY KEY (user_id, source)
);

-- How long a store keeps what it knows of people. Null is for good.
CREATE TABLE store_retention (
  store_id uuid PRIMARY KEY,
  keep_addresses_days integer CHECK (keep_addresses_days BETWEEN 1 AND 3650),
  keep_tickets_days integer CHECK (keep_tickets_days BETWEEN 1 AND 3650),
  -- Everything before these moments is forgotten already.
  addresses_forgotten_until timestamptz NOT NULL DEFAULT 'epoch',
  tickets_forgotten_until timestamptz NOT NULL DEFAULT 'epoch'
);

ALTER TABLE users ADD COLUMN disabled_reason text;
ALTER TABLE customers ADD COLUMN erased_at timestamptz;
-- Those that still hold an address, for the job that forgets it.
CREATE INDEX reveals_with_address ON reveals (store_id, date_created) WHERE ip_address <> '';
