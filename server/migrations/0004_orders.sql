CREATE TABLE coupons (
  store_id uuid NOT NULL,
  id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  name text NOT NULL CHECK (length(name) BETWEEN 3 AND 25),
  -- The number of rows in coupon_uses; counted here so that one conditional update decides.
  uses integer NOT NULL DEFAULT 0 CHECK (uses >= 0),
  maximum_uses integer NOT NULL DEFAULT -1 CHECK (maximum_uses >= -1),
  percentage_decrease double precision NOT NULL DEFAULT 0 CHECK (percentage_decrease BETWEEN 0 AND 100),
  is_enabled boolean NOT NULL DEFAULT true,
  -- Empty: every product.
  enabled_product_ids uuid[] NOT NULL DEFAULT '{}',
  -- A deleted coupon stays for the orders that used it.
  deleted_at timestamptz,
  PRIMARY KEY (store_id, id)
);
CREATE UNIQUE INDEX coupons_name ON coupons (store_id, name) WHERE deleted_at IS NULL;
CREATE INDEX coupons_list ON coupons (store_id, date_created DESC, id DESC) WHERE deleted_at IS NULL;

-- Who holds a use of a coupon: at most one row an order. Given back, the row goes.
CREATE TABLE coupon_uses (
  store_id uuid NOT NULL,
  order_id uuid NOT NULL,
  coupon_id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (store_id, order_id)
);
CREATE INDEX coupon_uses_coupon ON coupon_uses (store_id, coupon_id);

-- Wrong codes by address and store, counted by the hour so that guessing is slow on every process.
CREATE TABLE coupon_guesses (
  store_id uuid NOT NULL,
  network text NOT NULL,
  hour timestamptz NOT NULL,
  guesses integer NOT NULL DEFAULT 0,
  PRIMARY KEY (store_id, network, hour)
);

CREATE TABLE customers (
  store_id uuid NOT NULL,
  id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  email_address text NOT NULL CHECK (length(email_address) BETWEEN 3 AND 254),
  linked_integrations text[] NOT NULL DEFAULT '{}',
  ip_address text,
  notes text,
  blocked_at timestamptz,
  first_paid_at timestamptz,
  PRIMARY KEY (store_id, id)
);
CREATE UNIQUE INDEX customers_email_address ON customers (store_id, lower(email_address) text_pattern_ops);
CREATE INDEX customers_list ON customers (store_id, date_created DESC, id DESC);

-- Money is in minor units of the order's own currency; prices, percentages and the coupon are as they were when it was placed.
CREATE TABLE orders (
  store_id uuid NOT NULL,
  id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  origin text NOT NULL CHECK (origin IN ('api', 'checkout')),
  -- What the buyer shows to see the order: 128 random bits.
  key text NOT NULL,
  status text NOT NULL CHECK (status IN ('Incomplete', 'Pending', 'PartiallyPaid', 'Verifying', 'Delivering',
    'Delivered', 'Undeliverable', 'Cancelled', 'Refunded', 'Disputed')),
  gateway text NOT NULL,
  customer_id uuid NOT NULL,
  quantity integer NOT NULL CHECK (quantity > 0),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  exponent smallint NOT NULL CHECK (exponent BETWEEN 0 AND 4),
  subtotal_minor bigint NOT NULL CHECK (subtotal_minor >= 0),
  discount_minor bigint NOT NULL CHECK (discount_minor BETWEEN 0 AND subtotal_minor),
  fee_minor bigint NOT NULL CHECK (fee_minor >= 0),
  cost_minor bigint NOT NULL CHECK (cost_minor = subtotal_minor - discount_minor + fee_minor),
  paid_minor bigint NOT NULL DEFAULT 0 CHECK (paid_minor >= 0),
  refunded_minor bigint NOT NULL DEFAULT 0 CHECK (refunded_minor BETWEEN 0 AND paid_minor),
  gateway_fee_minor bigint NOT NULL DEFAULT 0,
  platform_fee_minor bigint NOT NULL DEFAULT 0,
  -- Of the platform's fee, what went back with refunds.
  platform_fee_returned_minor bigint NOT NULL DEFAULT 0,
  coupon_id uuid,
  coupon_name text,
  coupon_percentage double precision,
  transaction_id text,
  crypto_address text,
  crypto_price numeric,
  custom_values jsonb NOT NULL DEFAULT '[]',
  metadata jsonb NOT NULL DEFAULT '{}',
  return_url text,
  should_send_receipt boolean NOT NULL DEFAULT true,
  ip_address text,
  -- The buyer's true network, for limits; only of orders that the buyer placed in person.
  network text,
  user_agent text,
  country_code text,
  chat_user_id bigint,
  chat_user_name text,
  affiliate_code text,
  affiliate_customer_id uuid,
  has_warranty boolean NOT NULL DEFAULT false,
  is_marketplace boolean NOT NULL DEFAULT false,
  -- Whether the order holds its items and its use of the coupon.
  is_stock_held boolean NOT NULL DEFAULT true,
  -- When an unpaid order gives them back; null when it no longer will.
  expires_at timestamptz,
  paid_at timestamptz,
  delivered_at timestamptz,
  PRIMARY KEY (store_id, id)
);
CREATE INDEX orders_list ON orders (store_id, date_created DESC, id DESC);
CREATE INDEX orders_customer ON orders (store_id, customer_id, date_created DESC, id DESC);
CREATE INDEX orders_paid ON orders (store_id, paid_at) WHERE paid_at IS NOT NULL;
CREATE INDEX orders_open ON orders (store_id, customer_id) WHERE status = 'Incomplete' AND origin = 'checkout';
CREATE INDEX orders_open_network ON orders (store_id, network) WHERE status = 'Incomplete' AND origin = 'checkout';

-- One row a product: the same product twice in a form is summed. Items of the line are those with its order and product.
CREATE TABLE order_lines (
  store_id uuid NOT NULL,
  order_id uuid NOT NULL,
  product_id uuid NOT NULL,
  position smallint NOT NULL,
  product_name text NOT NULL,
  quantity integer NOT NULL CHECK (quantity > 0),
  cost_minor bigint NOT NULL CHECK (cost_minor >= 0),
  -- The line's part of the order's amounts; the parts of all lines add up to them.
  discount_minor bigint NOT NULL CHECK (discount_minor >= 0),
  fee_minor bigint NOT NULL CHECK (fee_minor >= 0),
  fee_percentage double precision NOT NULL DEFAULT 0,
  is_dynamic boolean NOT NULL,
  -- Whether the line hands over items, and whether it may wait for them.
  takes_items boolean NOT NULL,
  can_wait boolean NOT NULL,
  -- True while a paid order waits for items to be appended.
  is_waiting boolean NOT NULL DEFAULT false,
  delivers_file boolean NOT NULL DEFAULT false,
  file_downloads integer NOT NULL DEFAULT 0,
  -- Set when the seller ends the downloads of this line.
  file_cut_at timestamptz,
  -- Dynamic lines: when the seller's webhook was first asked, and its first good answer, sealed.
  requested_at timestamptz,
  answer bytea,
  failed_at timestamptz,
  failure text,
  delivered_at timestamptz,
  PRIMARY KEY (store_id, order_id, product_id)
);
CREATE INDEX order_lines_product ON order_lines (store_id, product_id, order_id);
CREATE INDEX order_lines_waiting ON order_lines (store_id, product_id, order_id) WHERE is_waiting;

-- Money that moved. The gateway's own name of the movement makes a repeated notice harmless.
CREATE TABLE payments (
  store_id uuid NOT NULL,
  id uuid NOT NULL,
  order_id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  gateway text NOT NULL,
  external_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('payment', 'refund', 'dispute')),
  amount_minor bigint NOT NULL CHECK (amount_minor >= 0),
  currency text NOT NULL,
  -- Came for an order that was already paid: shown to the seller for refund.
  is_surplus boolean NOT NULL DEFAULT false,
  PRIMARY KEY (store_id, id)
);
CREATE UNIQUE INDEX payments_external ON payments (store_id, gateway, external_id, kind);
CREATE INDEX payments_order ON payments (store_id, order_id, date_created);

-- What happened to an order, who did it and why. Rows are only ever added.
CREATE TABLE order_history (
  store_id uuid NOT NULL,
  order_id uuid NOT NULL,
  number integer NOT NULL,
  id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  kind text NOT NULL,
  from_status text,
  to_status text NOT NULL,
  actor text,
  reason text,
  amount_minor bigint,
  PRIMARY KEY (store_id, order_id, number)
);

-- When a buyer uncovered delivered items on the order's page; without a product: all of them.
CREATE TABLE reveals (
  store_id uuid NOT NULL,
  order_id uuid NOT NULL,
  id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  product_id uuid,
  ip_address text NOT NULL,
  user_agent text NOT NULL,
  PRIMARY KEY (store_id, order_id, id)
);

-- Counters by UTC day and currency, spread over slots as product_counts are.
CREATE TABLE store_days (
  store_id uuid NOT NULL,
  day date NOT NULL,
  currency text NOT NULL,
  slot smallint NOT NULL CHECK (slot BETWEEN 0 AND 7),
  orders_created integer NOT NULL DEFAULT 0,
  orders_paid integer NOT NULL DEFAULT 0,
  new_customers integer NOT NULL DEFAULT 0,
  -- Every payment on the day it came.
  paid_minor bigint NOT NULL DEFAULT 0,
  -- What the orders that became paid on this day have earned: paid less refunded, whenever that was.
  revenue_minor bigint NOT NULL DEFAULT 0,
  -- Every refund, on the day its order became paid, or on its own day when it never was.
  refunded_minor bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (store_id, day, currency, slot)
);

CREATE TABLE product_days (
  store_id uuid NOT NULL,
  day date NOT NULL,
  product_id uuid NOT NULL,
  currency text NOT NULL,
  slot smallint NOT NULL CHECK (slot BETWEEN 0 AND 7),
  quantity integer NOT NULL DEFAULT 0,
  revenue_minor bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (store_id, day, product_id, currency, slot)
);

-- Idempotency keys: claimed before the work begins, answered in the work's own transaction.
CREATE TABLE idempotency_keys (
  -- Whose key it is: callers' keys never meet.
  scope text NOT NULL,
  key text NOT NULL,
  request_hash bytea NOT NULL,
  claim uuid NOT NULL,
  claimed_at timestamptz NOT NULL DEFAULT now(),
  -- Sealed: answers hold order keys and delivered items.
  answer bytea,
  PRIMARY KEY (scope, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (claimed_at);
