-- A ticket from the store's contact page belongs to no order: its own key opens it.
ALTER TABLE tickets ALTER COLUMN order_id DROP NOT NULL;
ALTER TABLE tickets ADD COLUMN key text;
ALTER TABLE tickets ADD CHECK ((order_id IS NULL) = (key IS NOT NULL));
-- Of whoever asked there; tickets of orders speak the order's.
ALTER TABLE tickets ADD COLUMN language text;
-- The closed ticket that this one goes on from.
ALTER TABLE tickets ADD COLUMN previous_ticket_id uuid;
CREATE INDEX tickets_customer ON tickets (store_id, customer_id);

-- Questions from the contact page, until whoever asked has proven the e-mail address. The seller sees none of it before.
CREATE TABLE ticket_requests (
  store_id uuid NOT NULL,
  id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  email_address text NOT NULL CHECK (length(email_address) BETWEEN 3 AND 254),
  subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 128),
  message text NOT NULL CHECK (length(message) BETWEEN 1 AND 2048),
  language text NOT NULL,
  network text NOT NULL,
  key_hash bytea NOT NULL,
  -- What it became; from then on the link leads there.
  ticket_id uuid,
  PRIMARY KEY (store_id, id)
);
CREATE INDEX ticket_requests_address ON ticket_requests (store_id, lower(email_address), date_created);
CREATE INDEX ticket_requests_network ON ticket_requests (store_id, network, date_created);
CREATE INDEX ticket_requests_age ON ticket_requests (date_created);

-- Files of a ticket's messages. Uploaded first and then named by a message; until then only by whoever uploaded it.
CREATE TABLE ticket_attachments (
  store_id uuid NOT NULL,
  id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  ticket_id uuid,
  entry_id uuid,
  -- Where a draft may be used: by this member of the store, or with this order's key.
  user_id uuid,
  order_id uuid,
  friendly_name text NOT NULL,
  media_type text NOT NULL,
  bytes bigint NOT NULL CHECK (bytes > 0),
  sha256 bytea NOT NULL,
  storage_key text NOT NULL,
  CHECK (entry_id IS NULL OR ticket_id IS NOT NULL),
  PRIMARY KEY (store_id, id)
);
CREATE INDEX ticket_attachments_ticket ON ticket_attachments (store_id, ticket_id);
CREATE INDEX ticket_attachments_drafts ON ticket_attachments (date_created) WHERE entry_id IS NULL;

-- Asking for a review: after how many days a store does, whom it has asked, and who wants no such mail.
ALTER TABLE stores ADD COLUMN review_request_days smallint CHECK (review_request_days BETWEEN 1 AND 60);
ALTER TABLE customers ADD COLUMN unsubscribed_at timestamptz;
ALTER TABLE mails ADD COLUMN unsubscribe_url text;
CREATE TABLE review_requests (
  store_id uuid NOT NULL,
  order_id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (store_id, order_id)
);

-- Who likes what: a keyed hash of a random number that the visitor's browser keeps.
CREATE TABLE product_likes (
  store_id uuid NOT NULL,
  product_id uuid NOT NULL,
  visitor bytea NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (store_id, product_id, visitor)
);
-- How often a product was liked from one network on one day, as a hash that changes daily; the day after it is dropped.
CREATE TABLE product_like_networks (
  store_id uuid NOT NULL,
  product_id uuid NOT NULL,
  day date NOT NULL,
  network bytea NOT NULL,
  likes integer NOT NULL,
  PRIMARY KEY (store_id, product_id, day, network)
);
CREATE INDEX product_like_networks_day ON product_like_networks (day);

-- Customers who send others get this share of what those pay; 0 is no programme. An order keeps what was promised.
ALTER TABLE stores ADD COLUMN affiliate_percentage double precision NOT NULL DEFAULT 0
  CHECK (affiliate_percentage BETWEEN 0 AND 100);
ALTER TABLE orders ADD COLUMN affiliate_percentage double precision NOT NULL DEFAULT 0
  CHECK (affiliate_percentage BETWEEN 0 AND 100);
ALTER TABLE customers ADD COLUMN affiliate_code text CHECK (length(affiliate_code) BETWEEN 6 AND 32);
CREATE UNIQUE INDEX customers_affiliate_code ON customers (store_id, affiliate_code) WHERE affiliate_code IS NOT NULL;
CREATE INDEX customers_affiliates ON customers (store_id, date_created DESC, id DESC) WHERE affiliate_code IS NOT NULL;

-- What affiliates earned, lost by refunds, and were paid: the sum of a currency is what the store owes.
CREATE TABLE affiliate_entries (
  store_id uuid NOT NULL,
  id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  customer_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('earned', 'reversed', 'paid-out')),
  -- Of earned and reversed ones.
  order_id uuid,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  amount_minor bigint NOT NULL CHECK (amount_minor <> 0),
  note text CHECK (length(note) <= 500),
  -- Who marked it as paid out.
  user_id uuid,
  CHECK ((kind = 'paid-out') = (order_id IS NULL)),
  PRIMARY KEY (store_id, id)
);
CREATE INDEX affiliate_entries_customer ON affiliate_entries (store_id, customer_id, date_created DESC, id DESC);
CREATE INDEX affiliate_entries_order ON affiliate_entries (store_id, order_id);
