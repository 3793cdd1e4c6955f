-- What happened in a store, written by the transaction that made it happen. Numbers are given after the commit, so that
-- the store's transactions never wait for one counter; only numbered events are shown and sent.
CREATE TABLE events (
  store_id uuid NOT NULL,
  id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  type text NOT NULL,
  -- The order, ticket, review or product: its events are sent one after the other.
  subject_id uuid,
  product_ids uuid[] NOT NULL DEFAULT '{}',
  -- The very text that is signed and sent.
  body text NOT NULL,
  number bigint CHECK (number > 0),
  PRIMARY KEY (store_id, id)
);
CREATE UNIQUE INDEX events_number ON events (store_id, number) WHERE number IS NOT NULL;
CREATE INDEX events_unnumbered ON events (store_id, id) WHERE number IS NULL;

CREATE TABLE event_numbers (
  store_id uuid PRIMARY KEY,
  last_number bigint NOT NULL DEFAULT 0
);

CREATE TABLE webhooks (
  store_id uuid NOT NULL,
  id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  url text NOT NULL,
  -- Empty: all.
  events text[] NOT NULL DEFAULT '{}',
  description text,
  is_enabled boolean NOT NULL DEFAULT true,
  disabled_reason text,
  PRIMARY KEY (store_id, id)
);

-- One lane for each receiver of a store: it is worked by one process at a time, and a slow one delays only itself.
CREATE TABLE webhook_lanes (
  store_id uuid NOT NULL,
  -- `webhook/<id>`, `product/<id>`, `dynamic/<product's id>` or `chat`.
  name text NOT NULL,
  worker uuid,
  worked_until timestamptz,
  -- The last try brought no 2xx: the lane then waits among others of its kind.
  is_failing boolean NOT NULL DEFAULT false,
  PRIMARY KEY (store_id, name)
);

-- A message to one receiver. Its address is looked up for each try.
CREATE TABLE webhook_deliveries (
  store_id uuid NOT NULL,
  id uuid NOT NULL,
  lane text NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  kind text NOT NULL CHECK (kind IN ('event', 'chat', 'dynamic')),
  type text NOT NULL,
  -- Sent as webhook-id, the same in every try.
  message_id uuid NOT NULL,
  -- Null: the body of the event that the message id names.
  body text,
  subject_id uuid,
  status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'sent', 'failed', 'stopped')),
  tries integer NOT NULL DEFAULT 0,
  next_try_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (store_id, id)
);
CREATE UNIQUE INDEX webhook_deliveries_message ON webhook_deliveries (store_id, message_id, lane);
-- One request for the items of an order's product, whoever asks again.
CREATE UNIQUE INDEX webhook_deliveries_dynamic ON webhook_deliveries (store_id, lane, subject_id) WHERE kind = 'dynamic';
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (store_id, lane, next_try_at) WHERE status = 'waiting';

CREATE TABLE webhook_attempts (
  store_id uuid NOT NULL,
  id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  delivery_id uuid NOT NULL,
  attempt integer NOT NULL,
  url text NOT NULL,
  is_success boolean NOT NULL,
  status integer,
  duration_milliseconds integer NOT NULL,
  answer text,
  failure text,
  PRIMARY KEY (store_id, id)
);

-- Hosts that were called. One that never answered 2xx may belong to somebody who never asked for this: it is called
-- a few times a minute at most, by all stores together.
CREATE TABLE webhook_hosts (
  host text PRIMARY KEY,
  answered_at timestamptz,
  next_turn_at timestamptz NOT NULL DEFAULT now()
);

-- Whom a store does not sell to: an e-mail address (in lower case), a network or a country.
CREATE TABLE customer_blocks (
  store_id uuid NOT NULL,
  id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  kind text NOT NULL CHECK (kind IN ('email', 'address', 'country')),
  value text NOT NULL,
  reason text,
  PRIMARY KEY (store_id, id)
);
CREATE UNIQUE INDEX customer_blocks_value ON customer_blocks (store_id, kind, value);
