CREATE TABLE tickets (
  store_id uuid NOT NULL,
  id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  order_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 128),
  status smallint NOT NULL DEFAULT 0 CHECK (status BETWEEN 0 AND 4),
  -- Whether the seller has ever replied, and how many entries there are: the statement that adds one decides by them.
  is_answered boolean NOT NULL DEFAULT false,
  entry_count integer NOT NULL DEFAULT 0,
  closed_at timestamptz,
  PRIMARY KEY (store_id, id)
);
CREATE INDEX tickets_list ON tickets (store_id, date_created DESC, id DESC);
CREATE INDEX tickets_status ON tickets (store_id, status, date_created DESC, id DESC);
CREATE INDEX tickets_order ON tickets (store_id, order_id, date_created DESC, id DESC);

CREATE TABLE ticket_entries (
  store_id uuid NOT NULL,
  ticket_id uuid NOT NULL,
  id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  message text NOT NULL CHECK (length(message) BETWEEN 1 AND 2048),
  -- Who of the seller's side wrote it; null when the buyer did.
  user_id uuid,
  is_sellers boolean NOT NULL,
  -- What the search finds the ticket by: this message with the ticket's subject and its customer's address.
  words tsvector NOT NULL,
  PRIMARY KEY (store_id, ticket_id, id)
);
CREATE INDEX ticket_entries_words ON ticket_entries USING gin (words);

-- When a customer last opened tickets, within the hour that is looked at.
CREATE TABLE ticket_openings (
  store_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  opened_at timestamptz[] NOT NULL,
  PRIMARY KEY (store_id, customer_id)
);

CREATE TABLE ticket_days (
  store_id uuid NOT NULL,
  day date NOT NULL,
  opened integer NOT NULL DEFAULT 0,
  PRIMARY KEY (store_id, day)
);

CREATE TABLE reviews (
  store_id uuid NOT NULL,
  id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  order_id uuid NOT NULL,
  product_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  rating smallint NOT NULL CHECK (rating BETWEEN 1 AND 5),
  reason text NOT NULL CHECK (length(reason) <= 2048),
  reply text CHECK (length(reply) BETWEEN 1 AND 2048),
  -- When the platform's staff removed it: from then on it is shown and counted nowhere.
  hidden_at timestamptz,
  PRIMARY KEY (store_id, id)
);
CREATE UNIQUE INDEX reviews_line ON reviews (store_id, order_id, product_id);
CREATE INDEX reviews_list ON reviews (store_id, date_created DESC, id DESC) INCLUDE (product_id) WHERE hidden_at IS NULL;
CREATE INDEX reviews_product ON reviews (store_id, product_id, date_created DESC, id DESC) WHERE hidden_at IS NULL;

CREATE TABLE review_flags (
  store_id uuid NOT NULL,
  id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  review_id uuid NOT NULL,
  user_id uuid NOT NULL,
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 2048),
  decided_at timestamptz,
  decided_by uuid,
  approved boolean,
  administrator_note text,
  CHECK ((decided_at IS NULL) = (approved IS NULL)),
  PRIMARY KEY (store_id, id)
);
CREATE UNIQUE INDEX review_flags_open ON review_flags (store_id, review_id) WHERE decided_at IS NULL;
CREATE INDEX review_flags_list ON review_flags (store_id, date_created DESC, id DESC);
-- The staff see the flags of all stores.
CREATE INDEX review_flags_waiting ON review_flags (date_created DESC, id DESC) WHERE decided_at IS NULL;
CREATE INDEX review_flags_decided ON review_flags (date_created DESC, id DESC) WHERE decided_at IS NOT NULL;
CREATE INDEX review_flags_id ON review_flags (id);

-- The revenue of products over whole days and whole months, out of product_days once a day is over. What a window
-- covers whole is read from few rows, and what comes late, such as a refund, still stands in product_days.
CREATE TABLE product_spans (
  store_id uuid NOT NULL,
  span text NOT NULL CHECK (span IN ('day', 'month')),
  first_day date NOT NULL,
  product_id uuid NOT NULL,
  currency text NOT NULL,
  quantity bigint NOT NULL DEFAULT 0,
  revenue_minor bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (store_id, span, first_day, product_id, currency)
);
CREATE INDEX product_days_day ON product_days (day);
CREATE INDEX customers_first_paid ON customers (store_id, first_paid_at) WHERE first_paid_at IS NOT NULL;
